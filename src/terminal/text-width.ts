import stringWidth from 'string-width';

const ellipsis = '…';
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Columns that a clean, unstyled text takes on a terminal: two for wide characters, none for combining ones. */
export function textWidth(text: string): number {
  return stringWidth(text);
}

/** The text within that many columns, its end replaced by an ellipsis where it is longer. Never splits a character. */
export function truncate(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  if (columns < 1) return '';
  let kept = '';
  let width = 0;
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
