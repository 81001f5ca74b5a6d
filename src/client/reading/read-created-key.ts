import { isResource, type Resource, readId } from '../../api/resources/resource.js';
import { isKeyId, secretLength } from '../../redaction/harmless.js';
import { type ItemForms, pickField, type ResourceNames } from './forms.js';
import { addEnabled, addOwnNames, findPlaces, withId } from './read-single.js';

export interface KeyWithBoth extends Resource {
  readonly id: string;
  readonly secret: string;
}

/** The new key in a response, with ID and secret; `undefined` if either is missing or doubtful. */
export function readCreatedKey(
  value: unknown,
  names: ResourceNames,
  forms: ItemForms,
): KeyWithBoth | undefined {
  if (!isResource(value)) return undefined;
  const [inner] = findPlaces(value, names, forms).filter((one) => one !== value);
  const places = inner === undefined ? [value] : [inner, value];
  const secret = findSecret(places, forms);
  const id = findKeyId(places, secret, names, forms);
  if (secret === undefined || id === undefined) return undefined;
  const base = places.find((one) => Object.hasOwn(one, 'name')) ?? inner ?? value;
  const { id: own } = base;
  // Keeps the database ID beside the signing ID.
  const record = own !== undefined && String(own) !== id ? { record_id: own } : {};
  // Puts ID and secret first, whatever the service's order.
  return addEnabled(addOwnNames({ ...{ id, secret }, ...base, ...record, id, secret }, forms));
}

/** The signing ID: one with the prefix of the API reference, otherwise the resource's ID. */
function findKeyId(
  places: readonly Resource[],
  secret: string | undefined,
  names: ResourceNames,
  forms: ItemForms,
): string | undefined {
  const texts = places.flatMap((place) => forms.keyIds.map((name) => pickField(place, name)));
  const signing = texts.find((text) => typeof text === 'string' && isKeyId(text) && text !== secret);
  if (typeof signing === 'string') return signing;
  const ids = places.map((place) => readId(withId(place, names, forms)));
  return ids.find((id) => id !== undefined && id !== secret);
}

/** Names of fields with values that may be as long as a secret, but are not secret. */
const digests = /fingerprint|hash|digest|checksum|sha|signature|salt|etag/i;

/** A placeholder for a secret, such as `****14da`, `5ec3…` or `[REDACTED]`. */
const mask = /[*•●]{3}|…|\.{3}|x{8}|redacted|hidden|masked/i;

/** The text in the API reference's field, else the only one in a known field or as long as a secret. */
function findSecret(places: readonly Resource[], { secrets }: ItemForms): string | undefined {
  const texts = places.flatMap((place) =>
    Object.entries(place).flatMap(([name, text]) => {
      const isSecret = typeof text === 'string' && /^\s*\S+\s*$/.test(text) && !isKeyId(text);
      return isSecret && !mask.test(text) ? [{ name, text }] : [];
    }),
  );
  const own = texts.filter(({ name }) => name === secrets[0]);
  const possible = texts.filter(
    ({ name, text }) => secrets.includes(name) || (text.length === secretLength && !digests.test(name)),
  );
  const [first, ...others] = new Set((own.length > 0 ? own : possible).map(({ text }) => text));
  return others.length === 0 ? first : undefined;
}
