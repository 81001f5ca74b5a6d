import { apiKeys } from '../../api/resources/api-key.js';
import { connections } from '../../api/resources/connection.js';
import { isResource, type Resource, readId, withFields } from '../../api/resources/resource.js';
import { pickField, type ResourceNames, spellNames } from './fields.js';
import type { ItemForms } from './forms.js';
import { addOwnNames, addSigningId } from './own-names.js';
import { addEnabled } from './record/enabled-mark.js';
import { addFlatSettings } from './record/flat-settings.js';
import { liftAttributes } from './record/lift-attributes.js';

/** The resource in a response, if any. Prefers an object with an ID: a resource may have a field named `data`. */
function readSingle(value: unknown, names: ResourceNames, forms: ItemForms): Resource | undefined {
  const found = findPlaces(value, names, forms);
  const identified = found.map((one) => withId(one, names, forms)).find((one) => readId(one) !== undefined);
  const resource = identified ?? chooseUnidentified(value, found);
  return resource && readRecord(resource, names, forms);
}

/** A resource that can be read by the API reference's names, whatever the service's are. */
export function readRecord(resource: Resource, names: ResourceNames, forms: ItemForms): Resource {
  const named = addOwnNames(withId(liftAttributes(resource), names, forms), forms);
  if (names.kind === apiKeys.kind) return addEnabled(addSigningId(named, forms));
  return names.kind === connections.kind ? addFlatSettings(named) : named;
}

/** Like `readSingle`, but with the `known` ID if the response has none; `undefined` without any ID. */
export function readIdentified(
  value: unknown,
  names: ResourceNames,
  forms: ItemForms,
  known?: { readonly id: string },
): Resource | undefined {
  const found = readSingle(value, names, forms);
  if (found === undefined || readId(found) !== undefined) return found;
  return known && withFields(found, known);
}

function chooseUnidentified(value: unknown, found: readonly Resource[]): Resource | undefined {
  const [bare, inner] = [found.find((one) => one === value), found.find((one) => one !== value)];
  // With a single field, the outer object is an envelope.
  if (bare !== undefined && inner !== undefined && Object.keys(bare).length === 1) return inner;
  return bare ?? inner;
}

/** Objects of a response that may be the resource, in the order of the forms. */
export function findPlaces(value: unknown, names: ResourceNames, forms: ItemForms): readonly Resource[] {
  return forms.in
    .flatMap((name) =>
      name === null
        ? [value]
        : spellNames([name], names, true).map((field) => onlyOne(pickField(value, field))),
    )
    .filter(isResource)
    .map(liftAttributes);
}

function onlyOne(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/** The resource with its ID in `id`, whatever field the service uses for the ID. */
export function withId(resource: Resource, names: ResourceNames, { ids }: ItemForms): Resource {
  if (readId(resource) !== undefined) return resource;
  for (const name of spellNames(ids, names, true)) {
    const value = pickField(resource, name);
    if (readId({ id: value }) !== undefined) return { ...resource, id: value };
  }
  return resource;
}
