import { secretLength } from '../../api/resources/api-key.js';
import { isResource, type Resource, readId } from '../../api/resources/resource.js';
import { isKeyId } from '../../redaction/harmless.js';
import { pickField, type ResourceNames, spellNames } from './fields.js';
import type { ItemForms } from './forms.js';
import { addOwnNames } from './own-names.js';
import { findPlaces, withId } from './read-single.js';
import { addEnabled } from './record/enabled-mark.js';

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
  const keyForms = {
    ...forms,
    in: [...forms.in, ...(forms.in.includes(null) ? ['key', 'credentials'] : [])],
  };
  const [inner = value] = findPlaces(value, names, keyForms).filter((one) => one !== value);
  const places = inner === value ? [value] : [inner, value];
  const secret = findSecret(places, forms);
  const id = findKeyId(places, secret, names, forms);
  if (secret === undefined || id === undefined) return undefined;
  const base = places.find((one) => Object.hasOwn(one, 'name')) ?? inner;
  const { id: own } = base;
  // Keeps the database ID beside the signing ID.
  const record = own !== undefined && String(own) !== id ? { record_id: own } : {};
  const known = { id, secret };
  // Puts ID and secret first, whatever the service's order.
  return addEnabled(addOwnNames({ ...known, ...base, ...record, ...known }, forms));
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

/** The only possible secret: the value of a known field, or else a text as long as a secret. Several count as none. */
function findSecret(places: readonly Resource[], { secrets }: ItemForms): string | undefined {
  const shown = places.flatMap((place) => secrets.map((name) => pickField(place, name))).filter(isSecretText);
  const named = shown.filter((text) => !isMasked(text));
  const long = named.filter((text) => text.length === secretLength);
  if (named.length > 0) return theOnly(long.length > 0 ? long : named);
  const unnamed = places.flatMap((place) =>
    Object.entries(place)
      .filter(([name, text]) => isSecretText(text) && text.length === secretLength && !digests.test(name))
      .map(([, text]) => text),
  );
  return theOnly(unnamed.filter(isSecretText).filter((text) => !isMasked(text)));
}

/** Whether a text is only a placeholder for a secret, such as `****14da`, `5ec3…` or `[REDACTED]`. */
function isMasked(text: string): boolean {
  return /[*•●]{3}|…|\.{3}|x{8}|redacted|hidden|masked/i.test(text);
}

/** Whether a value can be a secret, rather than an ID or a sentence. */
function isSecretText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !/\s/.test(value.trim()) && !isKeyId(value);
}

function theOnly(texts: readonly string[]): string | undefined {
  const [first, ...others] = new Set(texts);
  return others.length === 0 ? first : undefined;
}

/** Where a response may hold the ID and secret of a key, for messages. */
export function describeKeyPlaces({ secrets, keyIds }: ItemForms, names: ResourceNames): string {
  const known = (all: readonly string[]) => spellNames(all, names, true).slice(0, 4).join(', ');
  return `an ID (${known(keyIds)}, …) and a secret that is not masked (${known(secrets)}, …)`;
}
