import type { DeclaredResource } from '../../api/resources/index.js';
import { idOf, isIdText, type Resource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import type { Api } from '../../client/api.js';
import { ServiceError, UsageError } from '../../errors/errors.js';
import { allPages } from '../pages.js';

/** A resource that a command line names, by its ID or its name. */
export interface Named {
  readonly id: string;
  /** As it was typed, without quotes round it. */
  readonly typed: string;
  /** Its entry in the list, if it was looked up there. */
  readonly found?: Resource;
}

type LookupContext = Pick<Context, 'note' | 'progress'>;

/**
 * The resources that the arguments name, each once. A text in the form of an ID is one; anything else is looked up by
 * exact name in all pages of the list, within the deadline, and taken for an ID if nothing has that name.
 *
 * @throws UsageError for what can be neither, and for the name of several, with their IDs; what reading the list throws
 */
export async function namedResources(
  resource: DeclaredResource,
  texts: readonly string[],
  api: Api,
  context: LookupContext,
): Promise<readonly Named[]> {
  const typed = parseIdentifiers(resource, texts);
  const names = typed.filter((text) => !hasIdShape(resource, text));
  const found =
    names.length === 0 ? new Map<string, Resource[]>() : await byName(resource, names, api, context);
  const named = typed.map((text) => nameOne(resource, text, found.get(text) ?? []));
  return [...new Map(named.map((one) => [one.id, one])).values()];
}

/** As `namedResources`, of one text. */
export async function namedResource(
  resource: DeclaredResource,
  text: string,
  api: Api,
  context: LookupContext,
): Promise<Named> {
  const [one] = await namedResources(resource, [text], api, context);
  return one ?? { id: text, typed: text };
}

function nameOne({ kind, plural }: DeclaredResource, typed: string, [first, ...others]: Resource[]): Named {
  if (first === undefined) return { id: typed, typed };
  if (others.length > 0) {
    const ids = [first, ...others].map(idOf);
    throw new UsageError(`${ids.length} ${plural} have the name ${typed}: ${ids.join(', ')}`, {
      hint: `nothing was done; give the ID of the right one: orgctl ${kind} list --all --name '${typed}'`,
    });
  }
  return { id: idOf(first) ?? typed, typed, found: first };
}

/** The resources with some names, by name, which may have several. Reads all pages, within the deadline. */
export async function byName(
  { property, plural }: DeclaredResource,
  names: Iterable<string>,
  api: Api,
  context: LookupContext,
): Promise<Map<string, Resource[]>> {
  const wanted = new Set(names);
  const found = new Map<string, Resource[]>();
  const { deadline } = api.transport;
  for await (const one of allPages(api[property].list, { deadline }, plural, context)) {
    const { name } = one;
    if (typeof name === 'string' && wanted.has(name)) found.set(name, [...(found.get(name) ?? []), one]);
  }
  return found;
}

/** The result of a call for a named resource. @throws ServiceError `not_found` that names what does not exist */
export async function orMissing<Answer>(
  { singular, kind }: DeclaredResource,
  { typed, id }: Named,
  call: (id: string) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call(id);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    throw new ServiceError('not_found', `there is no ${singular} ${typed}`, {
      ...error.details,
      hint: `see which there are: orgctl ${kind} list --all`,
      cause: error,
    });
  }
}

/**
 * IDs or names from the command line, each once. Any text that can be an ID is possible, and gets percent-encoded.
 *
 * @throws UsageError naming the one that can be neither
 */
export function parseIdentifiers(resource: DeclaredResource, texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map((text) => parseIdentifier(resource, text)))];
}

function parseIdentifier(resource: DeclaredResource, text: string): string {
  if (!isIdText(text)) {
    throw new UsageError(`${JSON.stringify(text)} cannot be an ID`, {
      hint: 'the list shows the IDs; is a variable of the script empty?',
    });
  }
  // As `--query id` prints it without --raw.
  const [, , quoted] = /^(["'])(.*)\1$/s.exec(text) ?? [];
  return quoted !== undefined && hasIdShape(resource, quoted) ? quoted : text;
}

function hasIdShape({ idPrefix }: DeclaredResource, text: string): boolean {
  return text.startsWith(`${idPrefix}_`);
}
