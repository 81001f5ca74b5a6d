import { isResource } from '../../api/resources/resource.js';
import { pickField } from './fields.js';
import type { ErrorPaths } from './forms.js';

const maxErrors = 20;

/** Texts of an error: the sentence to show, and all texts, to search for a known message. */
export interface ErrorTexts {
  readonly text: string;
  readonly parts: readonly string[];
}

/** Texts of an error's JSON body; `undefined` if none is found. */
export function readErrorTexts(body: unknown, paths: ErrorPaths): ErrorTexts | undefined {
  const parts = paths.flatMap((path) => textsAt(valueAt(body, path)));
  const all = parts.length > 0 ? parts : Array.isArray(body) ? textsAt(body) : [];
  const [first] = all;
  if (first === undefined) return undefined;
  const title =
    all.length > 1 && paths.some(([name]) => name === 'title') ? textsAt(pickField(body, 'title')) : [];
  const listed = paths.some(([name]) => name === 'errors')
    ? [valueAt(body, ['errors']), pickField(body, 'detail')].filter(Array.isArray).flatMap(textsAt)
    : [];
  const sentence = [...title, first].filter((text, at, texts) => texts.indexOf(text) === at).join(': ');
  const more = listed.filter((text) => !sentence.includes(text));
  return { text: [sentence, ...(more.length > 0 ? [more.join('; ')] : [])].join(': '), parts: all };
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  const value = path.reduce<unknown>((inner, name) => pickField(inner, name), body);
  if (path.at(-1) !== 'errors' || !isResource(value)) return value;
  return Object.entries(value).map(([field, one]) => ({ field, message: textsAt(one)[0] }));
}

function textsAt(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (Array.isArray(value)) {
    const texts = value.slice(0, maxErrors).flatMap((one) => textOfEntry(one) ?? []);
    return texts.length === 0 ? [] : [texts.join('; ')];
  }
  return [];
}

const sayings = ['message', 'detail', 'msg', 'description', 'reason', 'title', 'error', 'code'];
const places = ['field', 'path', 'loc', 'param', 'parameter', 'property', 'name', 'pointer'];
/** Beginnings of a `loc` that name a part of the request. */
const requestParts: ReadonlySet<unknown> = new Set(['body', 'query', 'path', 'header', 'cookie']);

/** The text of an entry, with the field if it has one: `name: must not be empty`. */
function textOfEntry(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry.trim() === '' ? undefined : entry;
  if (!isResource(entry)) return undefined;
  const text = sayings.map((name) => pickField(entry, name)).find(isText);
  const where =
    places.map((name) => toPlace(pickField(entry, name))).find(isText) ??
    pickField(pickField(entry, 'source'), 'pointer');
  if (text === undefined) return undefined;
  return isText(where) && !isNamedIn(text, where) ? `${where}: ${text}` : text;
}

/** Whether a text itself names a place; `Invalid` does not name `id`. */
function isNamedIn(text: string, place: string): boolean {
  const parts = text.split(place);
  return parts.slice(1).some((after, at) => !/\w$/.test(parts[at] ?? '') && !/^\w/.test(after));
}

/** A place as text, also from a list of its steps, such as `["body", "config", "port"]`. */
function toPlace(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const steps = value.length > 1 && requestParts.has(value[0]) ? value.slice(1) : value;
  return steps.every((step) => typeof step === 'string' || typeof step === 'number')
    ? steps.join('.')
    : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
