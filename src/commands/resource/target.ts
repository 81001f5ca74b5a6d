import { apiKeys, readSigningId } from '../../api/resources/api-key.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { hasIdShape, isIdText, type Resource, readId } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { ServiceError, UsageError } from '../../errors/errors.js';
import { allPages, assertNamed } from './pages.js';

export interface Target {
  readonly id: string;
  readonly typed: string;
  /** The resource in the list, if it was looked up there. */
  readonly found?: Resource;
  /** Not in the list, so never sent: a service may read `12-app` as the ID 12. */
  readonly isAbsent?: true;
  /** For a typed signing ID, finds the ID that the key has in paths. */
  readonly findPathId?: () => Promise<string | undefined>;
}

/** Text in the form of an ID is an ID; other text is looked up in the list, by exact name or ID. @throws UsageError */
export async function findTargets(
  resource: DeclaredResource,
  texts: readonly string[],
  context: Context,
): Promise<readonly Target[]> {
  const typed = [...new Set(texts)];
  const odd = typed.find((text) => !isIdText(text));
  if (odd !== undefined)
    throw new UsageError(`${JSON.stringify(odd)} cannot be an ID`, {
      hint: 'the list shows the IDs; is a variable in your script empty?',
    });
  const isId = (text: string) => hasIdShape(resource, text);
  const listed = typed.every(isId) ? [] : await readAll(resource, context);
  const targets = typed.map((text): Target => {
    if (!isId(text)) return findListed(resource, text, listed);
    if (resource.kind !== apiKeys.kind) return { id: text, typed: text };
    const findPathId = async () => {
      const keys = (await readAll(resource, context).catch(unlessService)) ?? [];
      const found = keys.find((key) => readSigningId(key) === text);
      return found && readId(found);
    };
    return { id: text, typed: text, findPathId };
  });
  // If names cannot be read, an existing resource would be "not found".
  if (targets.some(({ isAbsent }) => isAbsent)) assertNamed(resource, listed);
  return [...new Map(targets.map((target) => [target.id, target])).values()];
}

/** All resources of a kind. @throws ServiceError `server` for an incomplete list */
export async function readAll(resource: DeclaredResource, context: Context): Promise<readonly Resource[]> {
  const { transport, [resource.property]: calls } = await context.api();
  const all: Resource[] = [];
  for await (const one of allPages(calls.list, resource, context, transport.deadline)) all.push(one);
  return all;
}

function findListed({ kind, plural }: DeclaredResource, typed: string, listed: readonly Resource[]): Target {
  const matching = listed.filter((one) => one['name'] === typed || hasId(one, typed));
  const [found, ...others] = matching;
  if (found === undefined) return { id: typed, typed, isAbsent: true };
  if (others.length === 0) return { id: readId(found) ?? typed, typed, found };
  const ids = matching.map(readId).join(', ');
  throw new UsageError(
    `${matching.length} ${plural} have the name or ID ${JSON.stringify(typed)}: ${ids}; nothing was done`,
    { hint: 'give the ID; to compare them', next: ['orgctl', kind, 'list', '--all'] },
  );
}

/** A service may show a key's signing ID beside the ID in its path. */
function hasId(one: Resource, text: string): boolean {
  return readId(one) === text || readSigningId(one) === text;
}

export async function onTarget<Result>(
  resource: DeclaredResource,
  target: Target,
  call: (id: string) => Promise<Result>,
): Promise<Result> {
  if (target.isAbsent) throw notFound(resource, target);
  try {
    return await call(target.id);
  } catch (error) {
    // A 404 for a listed resource means that the service lacks the call.
    const isMissing =
      error instanceof ServiceError && error.code === 'not_found' && target.found === undefined;
    if (!isMissing) throw error;
    const id = await target.findPathId?.();
    if (id !== undefined && id !== target.id) return call(id);
    throw notFound(resource, target, error);
  }
}

export function unlessService(error: unknown): undefined {
  if (error instanceof ServiceError) return undefined;
  throw error;
}

export function notFound(
  { singular, plural, kind }: DeclaredResource,
  { typed }: Target,
  cause?: ServiceError,
): ServiceError {
  return new ServiceError('not_found', `${singular} ${JSON.stringify(typed)} not found`, {
    ...cause?.details,
    hint: `list ${plural}`,
    next: ['orgctl', kind, 'list', '--all'],
    cause,
  });
}
