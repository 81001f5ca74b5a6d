import { type Answer, readJsonValue } from '../exchange/exchange.js';
import { type ErrorPaths, knownForms, pickField } from './forms.js';

const maxErrors = 20;

/** `text` is the sentence to show; `parts` are all texts, one of which may be a known message. */
export interface ErrorTexts {
  readonly text: string;
  readonly parts: readonly string[];
}

/** Texts of an error's JSON body; `undefined` if none is found. */
export function readErrorTexts(body: unknown, paths: ErrorPaths): ErrorTexts | undefined {
  const parts = paths.flatMap((path) => textsAt(path.reduce(pickField, body)));
  const [first] = parts;
  if (first === undefined) return undefined;
  // Lists of errors say more than the sentence before them.
  const lists = paths.flatMap(([name = '']) => (name === 'errors' ? textsAt(pickField(body, name)) : []));
  return { text: [...new Set([first, ...lists])].join(': '), parts };
}

/** A text, or the texts of a list joined into one. */
function textsAt(value: unknown): readonly string[] {
  if (isText(value)) return [value];
  const texts = Array.isArray(value) ? value.slice(0, maxErrors).flatMap((one) => textOf(one) ?? []) : [];
  return texts.length === 0 ? [] : [texts.join('; ')];
}

/** The text of an entry, with the field if it has one: `name: must not be empty`. */
function textOf(entry: unknown): string | undefined {
  if (isText(entry)) return entry;
  const read = (names: readonly string[]) => names.map((name) => pickField(entry, name)).find(isText);
  const text = read(['message', 'detail', 'msg', 'title', 'code']);
  const where = read(['field', 'path', 'param', 'name']);
  return text === undefined || where === undefined ? text : `${where}: ${text}`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** The service's messages, for comparison with known ones; none for JSON without a message. */
export function readStatements({ body }: Answer, paths = knownForms.errors): readonly string[] {
  const value = readJsonValue(body);
  if (value === undefined) return [body.subarray(0, 500).toString('utf8').trim()];
  return typeof value === 'string' ? [value] : (readErrorTexts(value, paths)?.parts ?? []);
}
