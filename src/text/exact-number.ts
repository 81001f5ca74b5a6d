/**
 * A JSON number that a double would change, such as 9007199254740993. In calculations it is the nearest double;
 * {@link import('./exact-json.js').printJson} prints its text.
 */
export class ExactNumber {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  valueOf(): number {
    return Number(this.#text);
  }

  toJSON(): unknown {
    return printing === undefined ? this.valueOf() : printing(this.#text);
  }
}

let printing: ((text: string) => string) | undefined;

/** Within `act`, `JSON.stringify` prints exact numbers with `print`. */
export function withPrintedNumbers<Result>(print: (text: string) => string, act: () => Result): Result {
  printing = print;
  try {
    return act();
  } finally {
    printing = undefined;
  }
}

/** A double if it prints as the same number; otherwise exact, as for -0, which doubles print as 0. */
export function parseNumber(text: string): number | ExactNumber {
  const double = Number(text);
  return decimal(text) === decimal(String(double)) ? double : new ExactNumber(text);
}

export function isSameNumber(one: number | ExactNumber, other: number | ExactNumber): boolean {
  return decimal(String(one)) === decimal(String(other));
}

/** The same text for all spellings of a decimal number; otherwise `undefined`. */
function decimal(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === '') return undefined;
  const digits = whole + fraction;
  let start = 0;
  while (digits[start] === '0') start += 1;
  let end = digits.length;
  while (end > start && digits[end - 1] === '0') end -= 1;
  if (start === end) return `${sign}0`;
  const scale = Number(exponent) - fraction.length + digits.length - end;
  return `${sign}${digits.slice(start, end)}e${scale}`;
}
