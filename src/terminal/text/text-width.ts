const ellipsis = '…';

/**
 * Text whose every character takes one column: printable ASCII, Latin letters, general punctuation, and the blocks that
 * bars are drawn with.
 */
const narrow = /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u024F\u2010-\u2027\u2500-\u259F]*$/;

type Measure = (text: string) => number;

/** Redraws a text within so many columns. */
type Fit = (columns: number) => string;

/** A text with its width on a terminal; `measureTexts` makes it. */
export class MeasuredText {
  readonly text: string;
  /** In columns: two for wide characters, none for combining ones. */
  readonly width: number;
  readonly #measure: Measure;
  readonly #within: Fit | undefined;

  constructor(text: string, measure: Measure, within?: Fit) {
    this.text = text;
    this.width = measure(text);
    this.#measure = measure;
    this.#within = within;
  }

  /**
   * The text within that many columns: drawn for them where it can be, else its end replaced by an ellipsis where it is
   * longer. Never splits a character.
   */
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

/**
 * Measures clean, unstyled texts of one line each. What knows the width of all of Unicode is loaded when one of them
 * needs it: that takes as long as Node's own start, and most tables do without.
 */
export async function measureTexts<Item extends { readonly text: string; readonly within?: Fit | undefined }>(
  items: readonly Item[],
): Promise<(Item & { readonly content: MeasuredText })[]> {
  const measure = items.every(({ text }) => narrow.test(text)) ? columnPerCharacter : await unicode();
  return items.map((item) => ({ ...item, content: new MeasuredText(item.text, measure, item.within) }));
}

function columnPerCharacter(text: string): number {
  return text.length;
}

let loading: Promise<Measure> | undefined;

function unicode(): Promise<Measure> {
  loading ??= import('string-width').then(({ default: stringWidth }) => (text) => {
    if (narrow.test(text)) return text.length;
    if (text.length <= pieceLength) return stringWidth(text);
    let width = 0;
    for (const [piece] of pieces(text)) width += stringWidth(piece);
    return width;
  });
  return loading;
}

// The platform's segmenter takes as long for each character as the whole text is long, so it gets little at a time;
// never half of a surrogate pair, which would part what belongs together.
const pieceLength = 256;

/** The characters (grapheme clusters) of a text, in pieces of about that length: each piece, and what it consists of. */
function* pieces(text: string): Generator<readonly [piece: string, characters: readonly string[]]> {
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let length = pieceLength;
  for (let at = 0; at < text.length; ) {
    const end = at + length + (/[\uD800-\uDBFF]/.test(text[at + length - 1] ?? '') ? 1 : 0);
    const characters = Array.from(graphemes.segment(text.slice(at, end)), ({ segment }) => segment);
    // The last one may continue after the piece; one that fills the piece is segmented again, with more of what follows.
    if (end < text.length) characters.pop();
    const piece = characters.join('');
    if (piece !== '') yield [piece, characters];
    at += piece.length;
    length = piece === '' ? 2 * length : pieceLength;
  }
}
