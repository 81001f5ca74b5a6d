import { UsageError } from '../errors/errors.js';
import { deepestJson, findStringEnd, tryParseJson } from '../text/exact-json.js';

/** Counts lines and columns from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

export interface TextDocument {
  readonly value: unknown;
  /** The place of a field's name or of an item; a missing one has the place of its parent. */
  placeAt(path: readonly PropertyKey[]): TextPlace;
}

/** The message never quotes the text. */
export class MalformedText extends UsageError {
  constructor(what: string, name: string, { line, column }: TextPlace) {
    super(`${name}:${line}:${column}: ${what}`);
  }
}

export const duplicateKey = 'duplicate key: the names of fields must be unique';
export const tooDeep = `nested deeper than ${deepestJson} levels`;

/** The value; `undefined` if the text is not JSON. @throws MalformedText for duplicate names and deep nesting */
export function parseInputJson(text: string, name: string, firstLine = 1): unknown {
  const value = tryParseJson(text);
  const refuse = (what: string, offset: number): never => {
    throw new MalformedText(what, name, placeIn(text, offset, firstLine));
  };
  if (value !== undefined) scan(text, () => undefined, refuse);
  return value;
}

/** The place of a field's name or of an item, or of its innermost parent that exists. */
export function placeInJson(text: string, path: readonly PropertyKey[], firstLine = 1): TextPlace {
  let best = { depth: 0, offset: text.search(/[^ \t\n\r]/) };
  scan(text, (steps, offset) => {
    const isOnPath = steps.length > best.depth && steps.every((step, at) => step === path[at]);
    if (isOnPath) best = { depth: steps.length, offset };
  });
  return placeIn(text, best.offset, firstLine);
}

/** Calls `visit` with the path and the offset of each field and item, and `refuse` for duplicates and deep nesting. */
function scan(
  text: string,
  visit: (steps: readonly PropertyKey[], offset: number) => void,
  refuse: (what: string, offset: number) => void = () => undefined,
): void {
  /** The names of each open object; `undefined` for a list. */
  const names: (Set<string> | undefined)[] = [];
  const steps: PropertyKey[] = [];
  const token = /[[\]{},"]|[^[\]{},":\s]+/g;
  let isStart = false;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [piece] = found;
    if (piece === '"') token.lastIndex = findStringEnd(text, token.lastIndex);
    if (isStart && piece !== ']' && piece !== '}') {
      const seen = names.at(-1);
      const last = steps.pop();
      const step = seen === undefined ? Number(last) + 1 : readName(text.slice(found.index, token.lastIndex));
      if (seen?.has(String(step))) refuse(duplicateKey, found.index);
      seen?.add(String(step));
      steps.push(step);
      visit(steps, found.index);
    }
    isStart = piece === '{' || piece === '[' || piece === ',';
    if (piece === '{' || piece === '[') {
      if (steps.length === deepestJson) refuse(tooDeep, found.index);
      names.push(piece === '{' ? new Set() : undefined);
      steps.push(-1);
    } else if (piece === '}' || piece === ']') {
      names.pop();
      steps.pop();
    }
  }
}

function readName(token: string): string {
  return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
}

function placeIn(text: string, offset: number, firstLine: number): TextPlace {
  const before = text.slice(0, Math.max(offset, 0));
  return {
    line: firstLine + before.split('\n').length - 1,
    column: before.length - before.lastIndexOf('\n'),
  };
}
