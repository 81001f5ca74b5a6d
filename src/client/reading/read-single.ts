import { apiKeys } from '../../api/resources/api-key.js';
import { isResource, type Resource, readId, withFields } from '../../api/resources/resource.js';
import { pickField, type ResourceNames, spellNames } from './fields.js';
import type { ItemForms } from './forms.js';
import { addEnabled, addOwnNames, addSigningId } from './record-fields.js';

/**
 * The resource in a response: an object with an ID, because a resource may have a field named `data`, otherwise any
 * object, with the `known` ID. `undefined` if there is no object, or no ID.
 */
export function readIdentified(
  value: unknown,
  names: ResourceNames,
  forms: ItemForms,
  known?: { readonly id: string },
): Resource | undefined {
  const found = findPlaces(value, names, forms);
  const identified = found.map((one) => withId(one, names, forms)).find((one) => readId(one) !== undefined);
  const resource = identified ?? chooseUnidentified(value, found);
  const record = resource && readRecord(resource, names, forms);
  if (record === undefined || readId(record) !== undefined) return record;
  return known && withFields(record, known);
}

/** A resource that can be read by the API reference's names, whatever the service's are. */
export function readRecord(resource: Resource, names: ResourceNames, forms: ItemForms): Resource {
  const record = addOwnNames(withId(resource, names, forms), forms);
  return names.kind === apiKeys.kind ? addEnabled(addSigningId(record, forms)) : record;
}

function chooseUnidentified(value: unknown, found: readonly Resource[]): Resource | undefined {
  const [bare, inner] = [found.find((one) => one === value), found.find((one) => one !== value)];
  // With a single field, the outer object is an envelope.
  return bare !== undefined && Object.keys(bare).length > 1 ? bare : (inner ?? bare);
}

/** Objects of a response that may be the resource, in the order of the forms. */
export function findPlaces(value: unknown, names: ResourceNames, forms: ItemForms): readonly Resource[] {
  return forms.in
    .flatMap((name) =>
      name === null ? [value] : spellNames([name], names, true).map((field) => pickField(value, field)),
    )
    .filter(isResource);
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
