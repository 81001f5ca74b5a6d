import { isResource, type Resource } from '../../../api/resources/resource.js';

/** Members of a JSON:API resource object. */
const members: ReadonlySet<string> = new Set([
  ...['id', 'lid', 'type', 'attributes', 'relationships', 'links', 'meta'],
]);

/**
 * A JSON:API resource object with its attributes as own fields; any other resource as it is. The member `type` names
 * the kind of resource, so an attribute `type` replaces it.
 */
export function liftAttributes(resource: Resource): Resource {
  const { attributes, id, ...others } = resource;
  const isObject = isResource(attributes) && id !== undefined && typeof resource['type'] === 'string';
  if (!isObject || !Object.keys(resource).every((name) => members.has(name))) return resource;
  return Object.assign({ id }, others, attributes, { id });
}
