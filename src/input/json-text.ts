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

/** JSON or YAML that is invalid, or refused. The message never quotes the text. */
export class MalformedText extends Error {
  readonly at: TextPlace;
  /** Whether the text is invalid; false if it is well-formed, but refused. */
  readonly isSyntax: boolean;

  constructor(message: string, at: TextPlace, isSyntax = false) {
    super(message);
    this.at = at;
    this.isSyntax = isSyntax;
  }

  describe(path: string): string {
    return `${path}:${this.at.line}:${this.at.column}: ${this.message}`;
  }
}

export const duplicateKey = 'duplicate key: the names of fields must be unique';
export const tooDeep = `nested deeper than ${deepestJson} levels`;

/** The value; `undefined` if the text is not JSON. @throws MalformedText for duplicate names and deep nesting */
export function parseInputJson(text: string): unknown {
  const value = tryParseJson(text);
  if (value !== undefined) scan(text);
  return value;
}

/** The place of a field's name or of an item; of the innermost one that exists. */
export function placeInJson(text: string, path: readonly PropertyKey[]): TextPlace {
  let best = { depth: 0, offset: text.search(/[^ \t\n\r]/) };
  scan(text, (steps, offset) => {
    const isOnPath = steps.length > best.depth && steps.every((step, at) => step === path[at]);
    if (isOnPath) best = { depth: steps.length, offset };
  });
  return placeIn(text, best.offset);
}

/** Calls `visit` with the path and the offset of each field and item. @throws MalformedText */
function scan(text: string, visit?: (steps: readonly PropertyKey[], offset: number) => void): void {
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
      if (seen?.has(String(step))) throw new MalformedText(duplicateKey, placeIn(text, found.index));
      seen?.add(String(step));
      steps.push(step);
      visit?.(steps, found.index);
    }
    isStart = piece === '{' || piece === '[' || piece === ',';
    if (piece === '{' || piece === '[') {
      if (steps.length === deepestJson) throw new MalformedText(tooDeep, placeIn(text, found.index));
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

function placeIn(text: string, offset: number): TextPlace {
  const before = text.slice(0, Math.max(offset, 0));
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') };
}
