const ellipsis = '…';

/** One column each: printable ASCII, Latin letters, general punctuation and block elements for bars. */
const narrowText = /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u024F\u2010-\u2027\u2500-\u259F]*$/;

export function isNarrowText(text: string): boolean {
  return narrowText.test(text);
}

type MeasureText = (text: string) => number;

type Fit = (columns: number) => string;

/** A text with its terminal width; made by `measureTexts`. */
export class MeasuredText {
  readonly text: string;
  /** In columns: two for wide characters, none for combining ones. */
  readonly width: number;
  readonly #measure: MeasureText;
  readonly #within: Fit | undefined;

  constructor(text: string, measure: MeasureText, within?: Fit) {
    this.text = text;
    this.width = measure(text);
    this.#measure = measure;
    this.#within = within;
  }

  /** Redraws the text for a width, or cuts it with an ellipsis. Never splits a character. */
  cut(columns: number): MeasuredText {
    if (this.width <= columns) return this;
    if (this.#within !== undefined) return new MeasuredText(this.#within(columns), this.#measure);
    return new MeasuredText(columns < 1 ? '' : this.#start(columns - 1) + ellipsis, this.#measure);
  }

  #start(columns: number): string {
    let kept = '';
    let width = 0;
    for (const [, characters] of pieces(this.text)) {
      for (const character of characters) {
        width += this.#measure(character);
        if (width > columns) return kept;
        kept += character;
      }
    }
    return kept;
  }
}

/** Measures clean, unstyled lines. Loads Unicode widths only if needed, because that is slow. */
export async function measureTexts<Item extends { readonly text: string; readonly within?: Fit | undefined }>(
  items: readonly Item[],
): Promise<(Item & { readonly content: MeasuredText })[]> {
  const measure = items.every(({ text }) => isNarrowText(text)) ? columnPerCharacter : await unicode();
  return items.map((item) => ({ ...item, content: new MeasuredText(item.text, measure, item.within) }));
}

function columnPerCharacter(text: string): number {
  return text.length;
}

let loading: Promise<MeasureText> | undefined;

function unicode(): Promise<MeasureText> {
  loading ??= import('string-width').then(({ default: stringWidth }) => (text) => {
    if (isNarrowText(text)) return text.length;
    if (text.length <= pieceLength) return stringWidth(text);
    let width = 0;
    for (const [piece] of pieces(text)) width += stringWidth(piece);
    return width;
  });
  return loading;
}

// Intl.Segmenter takes quadratic time, so it gets pieces. Pieces never split a surrogate pair.
const pieceLength = 256;

function* pieces(text: string): Generator<readonly [piece: string, characters: readonly string[]]> {
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let length = pieceLength;
  for (let at = 0; at < text.length; ) {
    const end = at + length + (/[\uD800-\uDBFF]/.test(text[at + length - 1] ?? '') ? 1 : 0);
    const characters = Array.from(graphemes.segment(text.slice(at, end)), ({ segment }) => segment);
    // The last character may be incomplete, so it goes to the next piece. If it fills this piece, the next is longer.
    if (end < text.length) characters.pop();
    const piece = characters.join('');
    if (piece !== '') yield [piece, characters];
    at += piece.length;
    length = piece === '' ? 2 * length : pieceLength;
  }
}
