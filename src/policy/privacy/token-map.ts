// Maps the tokens of one workspace to values. A value that was found once is found everywhere afterwards.
import { type Finding, type HiddenKind, type PrivacyTokenKind, toPrivacyToken } from "./kinds.js";

export interface HiddenValue {
  readonly kind: PrivacyTokenKind;
  readonly number: number;
  readonly value: string;
  /** Runs of one session share it. */
  readonly scope: string;
  /** Servers that know the value. */
  readonly origins: readonly string[];
  /** Labels of the data that it was found in. A label of a field that may not be the right one ends with "?". */
  readonly labels?: readonly string[] | undefined;
}

/** Beyond this, answers with new values are refused. */
const maxHiddenValues = 100_000;

const normalizers: Readonly<Partial<Record<PrivacyTokenKind, (value: string) => string>>> = {
  email: (value) => value.toLowerCase(),
  phone: (value) => value.replaceAll(/[^\d+x]/g, ""),
  iban: (value) => value.replaceAll(" ", "").toUpperCase(),
  card: (value) => value.replaceAll(/\D/g, ""),
  ssn: (value) => value.replaceAll(/\D/g, ""),
  ip: (value) => value.toLowerCase(),
  name: (value) => value.normalize("NFC").replaceAll(/\s+/g, " ").toLowerCase(),
  address: (value) => value.normalize("NFC").replaceAll(/\s+/g, " ").toLowerCase(),
};

const toKey = (scope: string, kind: PrivacyTokenKind, value: string): string =>
  `${scope}\n${kind}\n${normalizers[kind]?.(value) ?? value}`;

export class PrivacyTokenMap {
  readonly #values: HiddenValue[] = [];
  readonly #byValue = new Map<string, number>();
  readonly #byToken = new Map<string, number>();
  /** The last numbers. They increase for the whole workspace, so that no token ever means two values. */
  readonly #last = new Map<PrivacyTokenKind, number>();
  /** Scope → first word → values that may not be found by their form. */
  readonly #seen = new Map<string, Map<string, SeenValue[]>>();

  get size(): number {
    return this.#values.length;
  }

  list(from = 0, to?: number): readonly HiddenValue[] {
    return this.#values.slice(from, to);
  }

  /** The number was given to a value before, also to one that is forgotten. */
  wasGiven(kind: PrivacyTokenKind, number: number): boolean {
    return number >= 1 && number <= (this.#last.get(kind) ?? 0);
  }

  lastNumbers(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#last);
  }

  /** Numbers up to these were given before. */
  skipNumbers(last: Readonly<Record<string, number>>): void {
    for (const [kind, number] of Object.entries(last))
      this.#last.set(
        kind as PrivacyTokenKind,
        Math.max(number, this.#last.get(kind as PrivacyTokenKind) ?? 0),
      );
  }

  /** Adds what another process or thread has hidden. Each value once, in order. */
  add(hidden: HiddenValue): void {
    const index = this.#values.push(hidden) - 1;
    const { scope, kind, value, number } = hidden;
    this.#byValue.set(toKey(scope, kind, value), index);
    this.#byToken.set(toPrivacyToken(kind, number), index);
    this.skipNumbers({ [kind]: number });
    this.#index(hidden);
  }

  find(kind: PrivacyTokenKind, number: number): HiddenValue | undefined {
    const index = this.#byToken.get(toPrivacyToken(kind, number));
    return index === undefined ? undefined : this.#values[index];
  }

  /** The token of a value, the same one for the same value. Undefined: there are too many. */
  hide(
    scope: string,
    kind: PrivacyTokenKind,
    value: string,
    origin: string,
    labels: readonly string[] = [],
  ): string | undefined {
    const known = this.#byValue.get(toKey(scope, kind, value));
    const found = known === undefined ? undefined : this.#values[known];
    if (found !== undefined && known !== undefined) {
      this.addOrigin(known, origin, labels);
      return toPrivacyToken(kind, found.number);
    }
    if (this.#values.length >= maxHiddenValues) return undefined;
    const number = (this.#last.get(kind) ?? 0) + 1;
    this.add({ kind, number, value, scope, origins: [origin], labels });
    return toPrivacyToken(kind, number);
  }

  /** The server knows the value, too. */
  addOrigin(index: number, origin: string, labels: readonly string[] = []): void {
    const found = this.#values[index];
    if (found === undefined) return;
    const { origins, labels: known = [] } = found;
    const added = labels.filter((label) => !known.includes(label));
    if (origins.includes(origin) && added.length === 0) return;
    this.#values[index] = {
      ...found,
      origins: origins.includes(origin) ? origins : [...origins, origin],
      labels: [...known, ...added],
    };
    this.changed.add(index);
  }

  /** Values whose origins or labels were extended. */
  readonly changed = new Set<number>();

  hasSeen(scope: string): boolean {
    return this.#seen.has(scope);
  }

  /** Values of the scope that appear in a text, as whole words. */
  findSeen(scope: string, text: string, kinds: ReadonlySet<HiddenKind>): readonly Finding[] {
    const byWord = this.#seen.get(scope);
    if (byWord === undefined) return [];
    let lower = text.toLowerCase();
    // In some scripts the lower case is longer: places would differ.
    if (lower.length !== text.length) lower = text;
    const found: Finding[] = [];
    for (let at = 0; at < lower.length; ) {
      const start = at;
      while (at < lower.length && isWordCode(lower.charCodeAt(at))) at++;
      if (at === start) at++;
      else
        for (const seen of byWord.get(lower.slice(start, at)) ?? []) {
          const end = start + seen.value.length;
          if (!kinds.has(seen.kind) || !isAt(text, lower, start, seen) || isWordCode(lower.charCodeAt(end)))
            continue;
          found.push({ start, end, kind: seen.kind });
        }
    }
    return found;
  }

  #index({ scope, kind, value }: HiddenValue): void {
    if (kind === "quoted" || kind === "email" || kind === "ip" || value.length < minSeen) return;
    let end = 0;
    while (end < value.length && isWordCode(value.charCodeAt(end))) end++;
    const isWord = end === value.length;
    // A name of one word in lower case could be any word.
    if (end === 0 || (kind === "name" && isWord && /^[a-z]/.test(value))) return;
    const byWord = this.#seen.get(scope) ?? new Map<string, SeenValue[]>();
    this.#seen.set(scope, byWord);
    const first = value.slice(0, end).toLowerCase();
    const list = byWord.get(first) ?? [];
    byWord.set(first, list);
    if (list.length < maxSameWord)
      list.push({ kind, value, lower: isWord || kind === "secret" ? undefined : value.toLowerCase() });
  }
}

interface SeenValue {
  readonly kind: HiddenKind;
  readonly value: string;
  /** For comparison without case. A single word counts only as it was written: "Will" is a name, "will" is not. */
  readonly lower?: string | undefined;
}

const minSeen = 3;
/** Bounds the work for texts that repeat a first name. */
const maxSameWord = 100;

const isWordCode = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  code === 95 ||
  (code >= 0xc0 && code < 0x2000) ||
  code >= 0x2e80;

const isAt = (text: string, lower: string, start: number, seen: SeenValue): boolean =>
  text.startsWith(seen.value, start) || (seen.lower !== undefined && lower.startsWith(seen.lower, start));
