const ellipsis = '…';

/**
 * Text whose every character takes one column: printable ASCII, Latin letters, general punctuation, and the blocks that
 * bars are drawn with.
 */
const narrow = /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u024F\u2010-\u2027\u2500-\u259F]*$/;

let measure: ((text: string) => number) | undefined;

/** Whether the width of a text can be told as yet; if not, await `learnWidths`. */
export function isMeasurable(text: string): boolean {
  return measure !== undefined || narrow.test(text);
}

/**
 * Makes every text measurable. Not done beforehand: what knows the width of all of Unicode takes as long to load as Node
 * takes to start, and most tables have no need of it.
 */
export async function learnWidths(): Promise<void> {
  measure = (await import('string-width')).default;
}

/**
 * Columns that a clean, unstyled text takes on a terminal: two for wide characters, none for combining ones. The
 * text must be measurable.
 */
export function textWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  if (measure === undefined) throw new Error('a text was measured before learnWidths');
  if (text.length <= pieceLength) return measure(text);
  let width = 0;
  for (const [piece] of pieces(text)) width += measure(piece);
  return width;
}

// The platform's segmenter takes as long for each character as the whole text is long, so it gets little at a time.
const pieceLength = 256;

/** The characters (grapheme clusters) of a text, in pieces of about that length: each piece, and what it consists of. */
function* pieces(text: string): Generator<readonly [piece: string, characters: readonly string[]]> {
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let length = pieceLength;
  for (let at = 0; at < text.length; ) {
    const characters = Array.from(graphemes.segment(text.slice(at, at + length)), ({ segment }) => segment);
    // The last one may go on behind the piece; one that fills the piece is looked at again, with more of what follows.
    if (at + length < text.length) characters.pop();
    const piece = characters.join('');
    if (piece !== '') yield [piece, characters];
    at += piece.length;
    length = piece === '' ? 2 * length : pieceLength;
  }
}

/** The text within that many columns, its end replaced by an ellipsis where it is longer. Never splits a character. */
export function truncate(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  if (columns < 1) return '';
  let kept = '';
  let width = 0;
  for (const [, characters] of pieces(text)) {
    for (const character of characters) {
      width += textWidth(character);
      if (width > columns - 1) return kept + ellipsis;
      kept += character;
    }
  }
  return kept + ellipsis;
}

/** Fills a text up with spaces; `width` is the text's own width, for one that carries styling. */
export function pad(text: string, width: number, columns: number, align: 'left' | 'right' = 'left'): string {
  const spaces = ' '.repeat(Math.max(0, columns - width));
  return align === 'right' ? spaces + text : text + spaces;
}
