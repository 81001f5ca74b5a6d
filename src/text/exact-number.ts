/**
 * A number of a JSON text that the platform's double would change, such as 9007199254740993 or 1e999: it keeps the text
 * that it came with. In calculations it is the nearest double; {@link import('./exact-json.js').printJson} prints its text.
 */
export class ExactNumber {
  readonly #text: string;

  /** @param text a number as JSON writes it */
  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  /** The nearest double, infinite for what is beyond all of them. */
  valueOf(): number {
    return Number(this.#text);
  }

  /** For `JSON.stringify`, which knows no other numbers than doubles. */
  toJSON(): unknown {
    return printing === undefined ? this.valueOf() : printing(this.#text);
  }
}

let printing: ((text: string) => string) | undefined;

/** What `act` returns; within it, `JSON.stringify` has for an exact number the string that `print` makes of its text. */
export function withPrintedNumbers<Result>(print: (text: string) => string, act: () => Result): Result {
  printing = print;
  try {
    return act();
  } finally {
    printing = undefined;
  }
}

/**
 * The value of a number in JSON's own form: a double where that is printed as the same value again, in whatever
 * spelling (1.0 as 1, 1e2 as 100); else an exact number. A double would print -0 without its sign.
 */
export function numberOf(text: string): number | ExactNumber {
  const double = Number(text);
  return decimal(text) === decimal(String(double)) ? double : new ExactNumber(text);
}

/** Whether two numbers are the same one, in whatever spelling. */
export function isSameNumber(one: number | ExactNumber, other: number | ExactNumber): boolean {
  return decimal(String(one)) === decimal(String(other));
}

/** One text for all spellings of a value; undefined for what is no number in decimal digits. */
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
