// Chooses the next run: workspaces take turns, so that many runs of one do not delay another.

interface OfWorkspace {
  readonly workspace: string;
}

export class RunTurns {
  #active = 0;
  #starts = 0;
  /** Workspaces that have runs. */
  readonly #turns = new Map<string, { readonly active: number; readonly lastStart: number }>();

  /** Active runs. */
  get active(): number {
    return this.#active;
  }

  start({ workspace }: OfWorkspace): void {
    this.#active++;
    const active = (this.#turns.get(workspace)?.active ?? 0) + 1;
    this.#turns.set(workspace, { active, lastStart: ++this.#starts });
  }

  end({ workspace }: OfWorkspace, waiting: readonly OfWorkspace[]): void {
    this.#active--;
    const { active, lastStart } = this.#turns.get(workspace) ?? { active: 1, lastStart: 0 };
    if (active === 1 && !waiting.some((entry) => entry.workspace === workspace))
      this.#turns.delete(workspace);
    else this.#turns.set(workspace, { active: active - 1, lastStart });
  }

  /** First the workspace with the fewest active runs, then the one whose last start is longest ago. */
  sort<Entry extends OfWorkspace>(waiting: readonly Entry[]): readonly Entry[] {
    const ahead = new Map<string, number>();
    const entries = waiting.map((entry) => {
      const { workspace } = entry;
      const { active, lastStart } = this.#turns.get(workspace) ?? { active: 0, lastStart: 0 };
      const own = ahead.get(workspace) ?? 0;
      ahead.set(workspace, own + 1);
      return { entry, place: active + own, lastStart };
    });
    return entries
      .sort((one, other) => one.place - other.place || one.lastStart - other.lastStart)
      .map(({ entry }) => entry);
  }
}
