import { isResource, type Resource, readId, withFields } from '../../api/resources/resource.js';
import { isKeyId } from '../../redaction/harmless.js';
import { toCamelCase, toSnakeCase } from '../../text/field-case.js';
import { pickField } from './fields.js';
import type { ItemForms } from './forms.js';
import { hideField } from './record/hide-field.js';

/** Adds fields under the API reference's names, not enumerable, so that printing shows the service's names. */
export function addOwnNames<Item extends Resource>(resource: Item, { fields, isCamel }: ItemForms): Item {
  for (const [own, theirs] of fields) {
    if (Object.hasOwn(resource, theirs)) hideField(resource, own, resource[theirs]);
  }
  if (isCamel) {
    for (const [name, value] of Object.entries(resource)) hideField(resource, toSnakeCase(name), value);
  }
  return resource;
}

/** Makes an API key's signing ID its `id`, or, beside another `id`, its `key_id`. */
export function addSigningId(key: Resource, { keyIds }: ItemForms): Resource {
  const signing = keyIds
    .map((name) => pickField(key, name))
    .find((id) => typeof id === 'string' && isKeyId(id));
  if (signing === undefined || signing === key['id']) return key;
  if (readId(key) === undefined) return withFields(key, { id: signing });
  hideField(key, 'key_id', signing);
  return key;
}

export function toTheirNames(body: unknown, { fields, isCamel, isPinned }: ItemForms): unknown {
  if (!isPinned || !isResource(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([own, value]) => [
      fields.get(own) ?? (isCamel ? toCamelCase(own) : own),
      value,
    ]),
  );
}
