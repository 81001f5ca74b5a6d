/** One column each: printable ASCII, Latin letters, general punctuation and block elements for bars. */
const narrowText = /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u024F\u2010-\u2027\u2500-\u259F]*$/;

export function isNarrowText(text: string): boolean {
  return narrowText.test(text);
}

/** Unicode takes quadratic time for long text; in text beyond this, each character counts as one column. */
const measuredLength = 2000;

let unicodeWidth: ((text: string) => number) | undefined;

/** For `textWidth` and `cutText`: loads the widths of Unicode, if a text needs them. */
export async function loadWidths(texts: readonly string[]): Promise<void> {
  if (unicodeWidth === undefined && !texts.every(isNarrowText))
    unicodeWidth = (await import('string-width')).default;
}

/** The columns of a clean, unstyled line on a terminal: two for wide characters, none for combining ones. */
export function textWidth(text: string): number {
  if (unicodeWidth === undefined || isNarrowText(text)) return text.length;
  return unicodeWidth(text.slice(0, measuredLength)) + Math.max(0, text.length - measuredLength);
}

/** The text, or its start and an ellipsis, within a number of columns. Never splits a character. */
export function cutText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  if (columns < 1) return '';
  if (isNarrowText(text)) return `${text.slice(0, columns - 1)}…`;
  const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let kept = '';
  let room = columns - 1;
  for (const { segment } of characters.segment(text.slice(0, measuredLength))) {
    room -= textWidth(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}
