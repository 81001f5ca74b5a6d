import { apiKeys } from '../../api/resources/api-key.js';
import { isResource, type Resource, readId, withFields } from '../../api/resources/resource.js';
import { isKeyId } from '../../redaction/harmless.js';
import { toCamelCase, toSnakeCase } from '../../text/field-case.js';
import { type ItemForms, pickField, type ResourceNames, spellNames } from './forms.js';

/**
 * The resource in a response: the first object with an ID or, if none has one, an object with the `known` ID added. The
 * ID decides, because a resource may itself have a field named `data`. `undefined` without an object or an ID.
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

/** Makes a resource readable by the API reference's field names, whatever the service's are. */
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

/** Adds a field that is readable, but not printed. Leaves an existing field unchanged. */
function hideField(resource: Resource, name: string, value: unknown): void {
  if (Object.hasOwn(resource, name)) return;
  Object.defineProperty(resource, name, { value, enumerable: false, configurable: true, writable: true });
}

/** Adds fields under the API reference's names; printing shows only the service's names. */
export function addOwnNames<Item extends Resource>(resource: Item, { fields, isCamel }: ItemForms): Item {
  for (const [own, theirs] of fields) {
    if (Object.hasOwn(resource, theirs)) hideField(resource, own, resource[theirs]);
  }
  if (isCamel) {
    for (const [name, value] of Object.entries(resource)) hideField(resource, toSnakeCase(name), value);
  }
  return resource;
}

/** The body of a request under the service's names, if a dialect pins them. */
export function toTheirNames(body: unknown, { fields, isCamel, isPinned }: ItemForms): unknown {
  if (!isPinned || !isResource(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([own, value]) => [
      fields.get(own) ?? (isCamel ? toCamelCase(own) : own),
      value,
    ]),
  );
}

/** Adds an API key's signing ID as its `id` or, if it has another `id`, as its `key_id`. */
function addSigningId(key: Resource, { keyIds }: ItemForms): Resource {
  const signing = keyIds
    .map((name) => pickField(key, name))
    .find((id) => typeof id === 'string' && isKeyId(id));
  if (signing === undefined || signing === key['id']) return key;
  if (readId(key) === undefined) return withFields(key, { id: signing });
  hideField(key, 'key_id', signing);
  return key;
}

/** Adds `enabled` to a key that has `disabled` instead. */
export function addEnabled<Key extends Resource>(key: Key): Key {
  if (typeof key['disabled'] === 'boolean') hideField(key, 'enabled', !key['disabled']);
  return key;
}
