import type { DeclaredResource } from '../../api/resources/index.js';
import { hasIdShape, isIdText, normalizeId, type Resource, readId } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import type { Api } from '../../client/api.js';
import { type Advice, toOperands } from '../../errors/advice.js';
import { isGone, isUnreadable, ServiceError, UsageError } from '../../errors/errors.js';
import { assertNamed } from '../distinct-items.js';
import { allPages, type ListCounts, type ListWatch } from '../pages.js';
import { describeShortList } from '../quotas/short-list.js';

export interface NamedResource {
  readonly id: string;
  readonly typed: string;
  readonly found?: Resource;
  /** The text is only the beginning of the ID. */
  readonly isCut?: true;
  /** Neither a name nor an ID, so never changed or deleted: a service may read `12-app` as the ID 12. */
  readonly isAbsent?: true;
  /** The closest name, if none matches. */
  readonly near?: string | undefined;
  /** Why a list that does not show it may be incomplete. */
  readonly doubt?: string | undefined;
}

type LookupContext = Pick<Context, 'note' | 'progress'>;

interface SeenInList {
  readonly all: Resource[];
  /** Normalized IDs, including those of resources that are marked as deleted. */
  readonly ids?: Set<string>;
  readonly onEnd?: ListWatch['onEnd'];
}

/**
 * Text in the form of an ID is an ID or the unique beginning of one; other text is an exact name or, failing that, an
 * ID. Reads the list only to find names and beginnings of IDs.
 * @throws UsageError for text that cannot be an ID, or that matches several; errors while reading the list
 */
export async function namedResources(
  resource: DeclaredResource,
  texts: readonly string[],
  api: Api,
  context: LookupContext,
): Promise<readonly NamedResource[]> {
  const typed = parseIdentifiers(resource, texts);
  const names = typed.filter((text) => !hasIdShape(resource, text));
  let counts: ListCounts | undefined;
  const onEnd = (end: ListCounts) => {
    counts = end;
  };
  const seen = { all: [] as Resource[], ids: new Set<string>(), onEnd };
  const found =
    names.length === 0
      ? new Map<string, Resource[]>()
      : await resolveByName(resource, names, api, context, seen);
  const cut = await resolveCutIds(resource, typed, api, context);
  const named: NamedResource[] = [];
  for (const text of typed) {
    const one = nameOne(resource, text, cut.found.get(text) ?? found.get(text) ?? []);
    if (cut.absent.has(text)) {
      named.push({ ...one, isAbsent: true });
      continue;
    }
    const isListed = one.found !== undefined || !names.includes(text) || seen.ids.has(normalizeId(text));
    named.push(isListed ? one : { ...one, ...(await tryAsId(resource, text, api)) });
  }
  const absent = named.filter(({ isAbsent }) => isAbsent);
  const doubt = counts && describeShortList(resource, { ...counts, used: counts.quota?.used });
  const nearest = await findNearest(
    absent,
    seen.all.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
  );
  const described = named.map((one) =>
    one.isAbsent ? { ...one, near: nearest.get(one.typed), doubt } : one,
  );
  return [...new Map(described.map((one) => [one.id, one])).values()];
}

/** Tries a text as an ID that the list does not show; ignores a response with another ID. */
async function tryAsId(
  resource: DeclaredResource,
  text: string,
  api: Api,
): Promise<Pick<NamedResource, 'found' | 'isAbsent'>> {
  const found: Resource | undefined = await api[resource.property].get(text).catch((error: unknown) => {
    if (error instanceof ServiceError) return undefined;
    throw error;
  });
  const isIt = found !== undefined && normalizeId(readId(found) ?? '') === normalizeId(text);
  return isIt ? { found } : { isAbsent: true };
}

async function findNearest(
  missing: readonly NamedResource[],
  names: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
  if (missing.length === 0) return new Map();
  const { closestMatch } = await import('leven');
  const find = (text: string) =>
    names.find((name) => name.toLowerCase() === text.toLowerCase()) ??
    closestMatch(text, [...names], { maxDistance: Math.ceil(text.length / 3) });
  return new Map(missing.map(({ typed }) => [typed, find(typed)]));
}

/** Lengths after a prefix such as `key_`. A cut ID has at least `least` characters, and fewer than `below`. */
const cutId = { least: 6, below: 24 };

interface CutIds {
  readonly found: ReadonlyMap<string, Resource[]>;
  /** Texts that are no ID; the service does not show whether they begin one. */
  readonly absent: ReadonlySet<string>;
}

/**
 * Finds the resources whose ID begins with a text that is not an ID itself. Finds none if the service does not show the
 * list.
 */
async function resolveCutIds(
  resource: DeclaredResource,
  typed: readonly string[],
  api: Api,
  context: LookupContext,
): Promise<CutIds> {
  const missing: string[] = [];
  const gone = new Set<string>();
  for (const text of typed.filter((one) => mayBeCut(resource, one))) {
    await api[resource.property].get(text).catch((error: unknown) => {
      if (!isGone(error) && !isUnreadable(error)) throw error;
      if (isGone(error)) gone.add(text);
      missing.push(text);
    });
  }
  if (missing.length === 0) return { found: new Map(), absent: new Set() };
  try {
    return { found: await findBegun(resource, missing, api, context), absent: new Set() };
  } catch (error) {
    if (isUnreadable(error) || isGone(error)) return { found: new Map(), absent: gone };
    throw error;
  }
}

/** By text: the resource with this ID, or else all resources whose ID begins with it. */
async function findBegun(
  { property, plural }: DeclaredResource,
  texts: readonly string[],
  api: Api,
  context: LookupContext,
): Promise<Map<string, Resource[]>> {
  const found = new Map<string, Resource[]>();
  const whole = new Set<string>();
  const { deadline } = api.transport;
  for await (const one of allPages(api[property].list, { deadline }, plural, context)) {
    for (const text of texts.filter((each) => !whole.has(each) && readId(one)?.startsWith(each))) {
      if (readId(one) === text) whole.add(text);
      found.set(text, whole.has(text) ? [one] : [...(found.get(text) ?? []), one]);
    }
  }
  return found;
}

function mayBeCut(resource: DeclaredResource, text: string): boolean {
  const { length } = text.slice(resource.idPrefix.length + 1);
  const isPlain = hasIdShape(resource, text) && /^\w+$/.test(text);
  return isPlain && length >= cutId.least && length < cutId.below;
}

export async function namedResource(
  resource: DeclaredResource,
  text: string,
  api: Api,
  context: LookupContext,
): Promise<NamedResource> {
  const [one] = await namedResources(resource, [text], api, context);
  return one ?? { id: text, typed: text };
}

function nameOne(
  { kind, plural }: DeclaredResource,
  typed: string,
  [first, ...others]: Resource[],
): NamedResource {
  if (first === undefined) return { id: typed, typed };
  if (others.length > 0) {
    const ids = [first, ...others].map(readId);
    const isName = others.some((one) => one['name'] === typed);
    const isId = readId(first) === typed;
    const list = ['orgctl', kind, 'list', '--all', ...(isName ? ['--name', typed] : [])];
    const what = isId ? 'have the ID or name' : isName ? 'are named' : 'have an ID that begins with';
    throw new UsageError(
      `${ids.length} ${plural} ${what} ${JSON.stringify(typed)}: ${ids.join(', ')}; nothing was done`,
      isId ? adviseBeyondId(kind, typed, others) : { hint: 'give the ID; to compare them', next: list },
    );
  }
  const id = readId(first) ?? typed;
  return { id, typed, found: first, ...(id !== typed && first['name'] !== typed && { isCut: true }) };
}

/** For an ID that is also the name of other resources. */
function adviseBeyondId(kind: string, id: string, namesakes: readonly Resource[]): Advice {
  const [other = ''] = namesakes.flatMap((one) => readId(one) ?? []);
  const rename = ['orgctl', kind, 'update', '--name', 'NEW_NAME', ...toOperands(other)];
  return { hint: `for ${other}, give its ID; for ${id}, first rename ${other}`, next: rename };
}

/** @throws UsageError for the beginning of an ID: it may be the whole ID of a deleted resource */
export function requireWholeIds(
  { singular }: DeclaredResource,
  targets: readonly NamedResource[],
  done: string,
): void {
  const cut = targets.find(({ isCut }) => isCut);
  if (cut === undefined) return;
  throw new UsageError(
    `no ${singular} has the ID ${cut.typed}; it is the beginning of ${cut.id}; nothing was ${done}`,
    {
      hint: 'without a prompt, give the whole ID',
    },
  );
}

/** Finds resources by names, which need not be unique; with `ids`, also by ID. Adds all resources to `all`. */
export async function resolveByName(
  resource: DeclaredResource,
  names: Iterable<string>,
  api: Api,
  context: LookupContext,
  { all, ids, onEnd }: SeenInList = { all: [] },
): Promise<Map<string, Resource[]>> {
  const { property, plural } = resource;
  const wanted = new Set(names);
  const found = new Map<string, Resource[]>();
  const byId = new Map<string, Resource[]>();
  const { deadline } = api.transport;
  const see = (one: Resource) => ids?.add(normalizeId(readId(one) ?? ''));
  const watch: ListWatch = { onDeleted: see, onEnd };
  for await (const one of allPages(api[property].list, { deadline }, plural, context, watch)) {
    all.push(one);
    see(one);
    const { name } = one;
    if (typeof name === 'string' && wanted.has(name)) found.set(name, [...(found.get(name) ?? []), one]);
    const id = ids && readId(one);
    if (id !== undefined && wanted.has(id)) byId.set(id, [one]);
  }
  // Where IDs are numbers, a name may be the ID of another resource.
  for (const [text, [own]] of byId) {
    const named = found.get(text)?.filter((one) => own === undefined || readId(one) !== readId(own)) ?? [];
    found.set(text, own === undefined ? named : [own, ...named]);
  }
  if ([...wanted].some((text) => !found.has(text))) assertNamed(resource, all);
  return found;
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
