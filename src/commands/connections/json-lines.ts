import { tryParseJson } from '../../contract/exact-json.js';

/** One line of JSONL (jsonlines.org) that is not blank. */
export interface JsonLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** The lines of a text that are not blank. */
export function jsonLines(text: string): JsonLine[] {
  return text
    .split('\n')
    .map((line, index) => ({ line: index + 1, text: line }))
    .filter((line) => line.text.trim() !== '');
}

/** Whether a text of unknown form is JSONL: its first line is a whole object, and another begins on the second. */
export function isJsonLines(text: string): boolean {
  const [first, second] = jsonLines(text);
  if (first === undefined || second === undefined) return false;
  return (
    [first, second].every((line) => line.text.trimStart().startsWith('{')) &&
    tryParseJson(first.text) !== undefined
  );
}
