import { foldName } from '../../api/resources/folded-name.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { type Resource, readId } from '../../api/resources/resource.js';
import { ServiceError } from '../../errors/errors.js';

/** IDs that a new resource cannot have. */
export interface KnownIds {
  /** From a list read before the creations. */
  readonly before: ReadonlySet<unknown>;
  /** From the responses to this run's creations. */
  readonly created: Set<unknown>;
}

export function knownFrom(listed: readonly Resource[]): KnownIds {
  return { before: new Set(listed.map(readId)), created: new Set() };
}

function isKnown({ before, created }: KnownIds, id: unknown): boolean {
  return before.has(id) || created.has(id);
}

/** Adds a new resource's ID to `known`. @throws ServiceError `server` if the response has the ID of another resource */
export function admitNew({ singular, kind }: DeclaredResource, created: Resource, known: KnownIds): void {
  const id = readId(created);
  if (id === undefined) return;
  if (isKnown(known, id)) {
    throw new ServiceError(
      'server',
      `the service responded to the creation request with the ID of an existing ${singular}: ${id}`,
      { hint: 'it was not changed; list all', next: ['orgctl', kind, 'list', '--all'] },
    );
  }
  known.created.add(id);
}

/**
 * A service may store a name in another form, shorter or longer; a name that has nothing in common with the sent one is
 * that of another resource.
 * @throws ServiceError `server`
 */
export function assertOwnName({ singular, kind }: DeclaredResource, created: Resource, sent: string): void {
  const { name } = created;
  if (typeof name !== 'string') return;
  const [own, wanted] = [foldName(name), foldName(sent)];
  if (own.includes(wanted) || wanted.includes(own)) return;
  throw new ServiceError(
    'server',
    `the service responded to the creation request with another ${singular}: ${JSON.stringify(name)}`,
    { hint: 'see whether it created yours, too', next: ['orgctl', kind, 'list', '--all'] },
  );
}
