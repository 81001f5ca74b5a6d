import { readSigningId } from '../../api/resources/api-key.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { hasIdShape, isIdText, normalizeId, type Resource, readId } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import type { Api } from '../../client/api.js';
import { ServiceError, UsageError } from '../../errors/errors.js';
import { allPages, assertNamed } from './pages.js';

/** The resource that a word of the command line means. */
export interface Target {
  readonly id: string;
  readonly typed: string;
  /** As the list shows it, if it was looked up there. */
  readonly found?: Resource;
  /** Neither a name nor an ID, so never changed or deleted: a service may read `12-app` as the ID 12. */
  readonly isAbsent?: true;
  /** The closest name, if none matches. */
  readonly near?: string | undefined;
}

type LookupContext = Pick<Context, 'progress'>;

/**
 * Text in the form of an ID is an ID; other text is looked up in the list, by exact name or ID.
 * @throws UsageError for text that cannot be an ID, or that means several; errors while reading the list
 */
export async function findTargets(
  resource: DeclaredResource,
  texts: readonly string[],
  api: Api,
  context: LookupContext,
): Promise<readonly Target[]> {
  const typed = parseIdentifiers(resource, texts);
  const isName = (text: string) => !hasIdShape(resource, text);
  const listed = typed.some(isName) ? await readAll(resource, api, context) : [];
  const targets: Target[] = [];
  for (const text of typed) {
    if (isName(text)) targets.push(await findListed(resource, text, listed));
    else targets.push({ id: text, typed: text });
  }
  return [...new Map(targets.map((target) => [target.id, target])).values()];
}

/** All resources of a kind. @throws ServiceError `server` for a list that is not whole */
async function readAll(
  { property, plural }: DeclaredResource,
  api: Api,
  context: LookupContext,
): Promise<readonly Resource[]> {
  const { deadline } = api.transport;
  const all: Resource[] = [];
  for await (const one of allPages(api[property].list, { deadline }, plural, context)) all.push(one);
  return all;
}

async function findListed(
  resource: DeclaredResource,
  typed: string,
  listed: readonly Resource[],
): Promise<Target> {
  const matching = listed.filter((one) => one['name'] === typed || hasId(one, typed));
  const [found, ...others] = matching;
  if (found === undefined) {
    assertNamed(resource, listed);
    return { id: typed, typed, isAbsent: true, near: await findNearest(typed, listed) };
  }
  if (others.length === 0) return { id: readId(found) ?? typed, typed, found };
  const { kind, plural } = resource;
  const what = matching.every((one) => one['name'] === typed) ? 'are named' : 'have the ID or name';
  throw new UsageError(
    `${matching.length} ${plural} ${what} ${JSON.stringify(typed)}: ${matching.map(readId).join(', ')}; nothing was done`,
    {
      hint: 'give the ID; to compare them',
      next: [
        'orgctl',
        kind,
        'list',
        '--all',
        ...(what === 'are named' && !/^-|\*/.test(typed) ? ['--name', typed] : []),
      ],
    },
  );
}

/** A service may show a key's signing ID beside the ID in its path. */
function hasId(one: Resource, text: string): boolean {
  const ids = [readId(one), readSigningId(one)];
  return ids.some((id) => id !== undefined && normalizeId(id) === normalizeId(text));
}

async function findNearest(typed: string, listed: readonly Resource[]): Promise<string | undefined> {
  const names = listed.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  const { closestMatch } = await import('leven');
  return (
    names.find((name) => name.toLowerCase() === typed.toLowerCase()) ??
    closestMatch(typed, names, { maxDistance: Math.ceil(typed.length / 3) })
  );
}

/** Makes a call about the target. @throws ServiceError `not_found` with the text as typed */
export async function onTarget<Result>(
  resource: DeclaredResource,
  target: Target,
  call: (id: string) => Promise<Result>,
): Promise<Result> {
  if (target.isAbsent) throw notFound(resource, target);
  try {
    return await call(target.id);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    // The service may lack a call for what it lists.
    throw target.found === undefined ? notFound(resource, target, error) : error;
  }
}

export function notFound(
  { singular, plural, kind }: DeclaredResource,
  { typed, near }: Target,
  cause?: ServiceError,
): ServiceError {
  const list = near === undefined ? '' : `did you mean ${JSON.stringify(near)}? Otherwise `;
  return new ServiceError('not_found', `${singular} ${JSON.stringify(typed)} not found`, {
    ...cause?.details,
    hint: `${list}list ${plural}`,
    next: ['orgctl', kind, 'list', '--all'],
    cause,
  });
}

/** IDs and names from the command line, without duplicates. @throws UsageError naming an impossible one */
export function parseIdentifiers(resource: DeclaredResource, texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map((text) => parseIdentifier(resource, text)))];
}

function parseIdentifier(resource: DeclaredResource, text: string): string {
  if (!isIdText(text)) {
    throw new UsageError(`${JSON.stringify(text)} cannot be an ID`, {
      hint: 'the list shows the IDs; is a variable in your script empty?',
    });
  }
  // Without --raw, `--query id` prints an ID in quotes.
  const [, , quoted] = /^(["'])(.*)\1$/s.exec(text) ?? [];
  return quoted !== undefined && hasIdShape(resource, quoted) ? quoted : text;
}
