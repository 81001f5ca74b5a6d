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
  return measure(text);
}

/** The text within that many columns, its end replaced by an ellipsis where it is longer. Never splits a character. */
export function truncate(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  if (columns < 1) return '';
  let kept = '';
  let width = 0;
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (const { segment } of graphemes.segment(text)) {
    width += textWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return kept + ellipsis;
}

/** Fills a text up with spaces; `width` is the text's own width, for one that carries styling. */
export function pad(text: string, width: number, columns: number, align: 'left' | 'right' = 'left'): string {
  const spaces = ' '.repeat(Math.max(0, columns - width));
  return align === 'right' ? spaces + text : text + spaces;
}
