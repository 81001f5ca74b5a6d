import { apiKeys } from '../api/resources/api-key.js';
import { type DeclaredResource, resources } from '../api/resources/index.js';
import { type Resource, readId } from '../api/resources/resource.js';
import { outline } from '../client/reading/outline.js';
import { ServiceError } from '../errors/errors.js';
import { ExactNumber } from '../text/exact-number.js';

/** @param what such as `teams` @throws ServiceError `server` if an ID is missing or repeated */
export async function* distinctItems(items: AsyncIterable<Resource>, what: string): AsyncGenerator<Resource> {
  const seen = new Set<string>();
  let position = 0;
  for await (const item of items) {
    position += 1;
    const id = readId(item);
    if (id === undefined) throw refuseList(what, describeUnusable(item, position));
    if (seen.has(id)) throw refuseList(what, `the ID ${id} appears twice`);
    seen.add(id);
    yield item;
  }
}

/** Why `readId` reads no ID. */
function describeUnusable(item: Resource, position: number): string {
  const { id } = item;
  if (id === undefined || id === null || id === '')
    return `item ${position} has no ID: ${outline(item, 'id')}`;
  if (typeof id === 'string')
    return `the ID of item ${position} is ${JSON.stringify(id)}, which no path can contain`;
  const shown = typeof id === 'number' || id instanceof ExactNumber ? String(id) : outline(id);
  return `the ID of item ${position} is ${shown}, neither text nor a whole number from 0`;
}

/** @throws ServiceError `server` if a name is not text, or if all are missing: the service may use another field */
export function assertNamed({ kind, plural }: DeclaredResource, items: readonly Resource[]): void {
  const names = items.map(({ name }) => name);
  if (items.length === 0 || (names.some((name) => typeof name === 'string') && names.every(isName))) return;
  if (kind === apiKeys.kind && names.every(isName) && names.includes(null)) return;
  const unnamed = items.find(({ name }) => !isName(name)) ?? items[0];
  throw refuseList(plural, `the names cannot be read: ${outline(unnamed, 'name')}`);
}

function isName(name: unknown): boolean {
  return typeof name === 'string' || name === null || name === undefined;
}

/** Yields all items, and then calls `onRepeat` if an ID came twice, because other items may be missing. */
export async function* watchRepeats(
  items: AsyncIterable<Resource>,
  what: string,
  onRepeat: (error: ServiceError) => void,
): AsyncGenerator<Resource> {
  const seen = new Set<string>();
  let repeated: string | undefined;
  for await (const item of items) {
    const id = readId(item);
    if (id !== undefined && seen.has(id)) repeated ??= id;
    if (id !== undefined) seen.add(id);
    yield item;
  }
  if (repeated === undefined) return;
  onRepeat(
    new ServiceError('server', `the list of ${what} may be incomplete: the ID ${repeated} appears twice`, {
      retryable: false,
      hint: 'the list may have changed while it was read: run the same command again',
    }),
  );
}

function refuseList(what: string, why: string): ServiceError {
  return new ServiceError('server', `the list of ${what} is unreliable: ${why}`, {
    retryable: false,
    hint: 'see what the service returns',
    next: ['orgctl', nameKind(what), 'list', '--all', '-o', 'json'],
  });
}

function nameKind(plural: string): string {
  return resources.find((resource) => resource.plural === plural)?.kind ?? plural;
}
