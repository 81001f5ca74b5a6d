import { deepestJson, findStringEnd, tryParseJson } from '../../text/exact-json.js';
import { MalformedText, placeIn, type TextPlace } from './malformed-text.js';

/** The value; `undefined` if the text is not JSON. @throws MalformedText for duplicate names and deep nesting */
export function parseInputJson(text: string): unknown {
  const value = tryParseJson(text);
  if (value !== undefined) refuseHidden(text);
  return value;
}

function refuseHidden(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = findStringEnd(text, at + 1);
      if (isName) addName(nameIn(text, at, end), open.at(-1), () => placeIn(text, at));
      isName = false;
      at = end - 1;
    } else if (character === '{' || character === '[') {
      if (open.length === deepestJson) throw tooDeepAt(placeIn(text, at));
      isName = character === '{';
      open.push(isName ? new Set() : undefined);
    } else if (character === '}' || character === ']') {
      isName = false;
      open.pop();
    } else if (character === ',') isName = open.at(-1) !== undefined;
  }
}

function addName(name: string, names: Set<string> | undefined, place: () => TextPlace): void {
  if (names?.has(name)) throw duplicateKey(place());
  names?.add(name);
}

export function duplicateKey(at: TextPlace): MalformedText {
  return new MalformedText('duplicate key: the names of fields must be unique', at);
}

export function tooDeepAt(at: TextPlace): MalformedText {
  return new MalformedText(`nested deeper than ${deepestJson} levels`, at);
}

function nameIn(text: string, start: number, end: number): string {
  const token = text.slice(start, end);
  return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
}

export function placeInJson(text: string, path: readonly PropertyKey[]): TextPlace {
  return placeIn(text, offsetIn(text, skipSpace(text, 0), path));
}

function offsetIn(text: string, at: number, [step, ...rest]: readonly PropertyKey[]): number {
  if (step === undefined) return at;
  const member = findMember(text, at, step);
  if (member === undefined) return at;
  const isInside = rest.length > 0 && /[{[]/.test(text[member.value] ?? '');
  return isInside ? offsetIn(text, member.value, rest) : member.start;
}

function findMember(text: string, container: number, step: PropertyKey) {
  const isObject = text[container] === '{';
  if (!isObject && text[container] !== '[') return undefined;
  let at = container;
  for (let index = 0; text[at] === ',' || at === container; index += 1) {
    const start = skipSpace(text, at + 1);
    if (/[}\]]/.test(text[start] ?? '')) return undefined;
    const end = isObject ? findStringEnd(text, start + 1) : start;
    const value = isObject ? skipSpace(text, skipSpace(text, end) + 1) : start;
    if ((isObject ? nameIn(text, start, end) : index) === step) return { start, value };
    at = skipSpace(text, endOfValue(text, value));
  }
  return undefined;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (depth === 0 && at > start && /[\s,}\]]/.test(character)) return at;
    if (character === '"') {
      at = findStringEnd(text, at + 1) - 1;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
  }
  return text.length;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text[at] ?? '')) at += 1;
  return at;
}
