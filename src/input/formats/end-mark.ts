import { MalformedText, placeIn } from './malformed-text.js';

/** YAML's end of a document, the last line of what `export` writes. */
export const endOfDocument = '...';

/** The comment by which an export says how it ends: YAML that is cut between two lines is still YAML. */
export const endMark = `# The last line is "${endOfDocument}". Without it orgctl refuses the file, as one that is cut off.`;

/** @throws MalformedText for an export without its end */
export function assertWhole(text: string): void {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const head = lines.slice(
    0,
    lines.findIndex((line) => line !== '' && !line.startsWith('#')),
  );
  if (!head.includes(endMark)) return;
  const last = lines.findLast((line) => line !== '' && !line.startsWith('#'));
  if (last === endOfDocument) return;
  throw new MalformedText(
    `the file is cut off: its last line is not "${endOfDocument}". If nothing is missing, add that line`,
    placeIn(text, text.length),
  );
}
