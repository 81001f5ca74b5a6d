import type { Resource } from '../../../api/resources/resource.js';

/** Adds a field that is readable, but not printed. Leaves an existing field unchanged. */
export function hideField(resource: Resource, name: string, value: unknown): void {
  if (Object.hasOwn(resource, name)) return;
  Object.defineProperty(resource, name, { value, enumerable: false, configurable: true, writable: true });
}
