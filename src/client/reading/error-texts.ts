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
  const found = paths.flatMap((path) => textsAt(path.reduce(pickField, body)));
  const parts = found.length > 0 ? found : Array.isArray(body) ? textsAt(body) : [];
  const [first] = parts;
  if (first === undefined) return undefined;
  // Lists of errors say more than the sentence before them.
  const lists = ['errors', 'detail']
    .map((name) => pickField(body, name))
    .filter((one) => typeof one === 'object');
  const known = paths.some(([name]) => name === 'errors') ? lists.flatMap(textsAt) : [];
  const title = paths.some(([name]) => name === 'title') ? textsAt(pickField(body, 'title')) : [];
  return { text: [...new Set([...title, first, ...known])].join(': '), parts };
}

/** A text, or those of a list, or of an object by field, as one. */
function textsAt(value: unknown): readonly string[] {
  if (isText(value)) return [value];
  const entries = isResource(value)
    ? Object.entries(value).map(([field, one]) => ({ field, message: textsAt(one)[0] }))
    : value;
  const texts = Array.isArray(entries)
    ? entries.slice(0, maxErrors).flatMap((one) => textOfEntry(one) ?? [])
    : [];
  return texts.length === 0 ? [] : [texts.join('; ')];
}

const sayings = ['message', 'detail', 'msg', 'description', 'reason', 'title', 'error', 'code'];
const places = ['field', 'path', 'loc', 'param', 'parameter', 'property', 'name', 'pointer'];

/** The text of an entry, with the field if it has one: `name: must not be empty`. */
function textOfEntry(entry: unknown): string | undefined {
  if (!isResource(entry)) return isText(entry) ? entry : undefined;
  const text = sayings.map((name) => pickField(entry, name)).find(isText);
  const pointer = pickField(pickField(entry, 'source'), 'pointer');
  const where = [...places.map((name) => toPlace(pickField(entry, name))), pointer].find(isText);
  return text === undefined || where === undefined ? text : `${where}: ${text}`;
}

/** A place as text, also from a list of its steps, such as `["body", "config", "port"]`. */
function toPlace(value: unknown): unknown {
  const isSteps = Array.isArray(value) && value.every((step) => ['string', 'number'].includes(typeof step));
  return isSteps ? value.join('.').replace(/^(?:body|query|path|header|cookie)\./, '') : value;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
