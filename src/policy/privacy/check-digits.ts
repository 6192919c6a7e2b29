// Checksums and ranges that distinguish real card numbers, IBANs and US social security numbers from other digits.

/** Digits only. The last one of a card number is a check digit (Luhn). */
const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};

/** First digits (from, to) → lengths. */
const cardRanges: readonly (readonly [from: number, to: number, lengths: readonly number[]])[] = [
  [4, 4, [13, 16, 19]],
  [51, 55, [16]],
  [2221, 2720, [16]],
  [34, 34, [15]],
  [37, 37, [15]],
  [300, 305, [14]],
  [36, 36, [14]],
  [38, 39, [14]],
  [6011, 6011, [16, 19]],
  [644, 659, [16, 19]],
  [35, 35, [16]],
  [2131, 2131, [15]],
  [1800, 1800, [15]],
  [62, 62, [16, 17, 18, 19]],
  [50, 50, [12, 13, 14, 15, 16]],
  [56, 58, [12, 13, 14, 15, 16]],
  [60, 69, [12, 13, 14, 15, 16]],
];

export const isCard = (digits: string): boolean =>
  digits.length >= 12 &&
  digits.length <= 19 &&
  cardRanges.some(([from, to, lengths]) => {
    const prefix = Number(digits.slice(0, String(from).length));
    return prefix >= from && prefix <= to && lengths.includes(digits.length);
  }) &&
  passesLuhn(digits);

/** Country → length, of the registry of IBANs. */
const ibanLengths: ReadonlyMap<string, number> = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 " +
    "FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 " +
    "MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 " +
    "SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** The length of an IBAN of this country. Undefined: there is none. */
export const ibanLengthOf = (country: string): number | undefined => ibanLengths.get(country.toUpperCase());

/** The checksum of an IBAN (ISO 7064, mod 97). Letters and digits only. */
export const isIban = (written: string): boolean => {
  const text = written.toUpperCase();
  if (ibanLengthOf(text.slice(0, 2)) !== text.length) return false;
  let rest = 0;
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    if (Number.isNaN(value)) return false;
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
};

/** Nine digits: area, group, serial. Some combinations were never assigned. */
export const isSsn = (digits: string): boolean => {
  const area = Number(digits.slice(0, 3));
  return (
    digits.length === 9 &&
    area !== 0 &&
    area !== 666 &&
    area < 900 &&
    digits.slice(3, 5) !== "00" &&
    digits.slice(5) !== "0000"
  );
};
