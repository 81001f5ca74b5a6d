import { type DeclaredResource, resources } from '../../api/resources/index.js';
import { hasIdShape, readId } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { readLargestPage } from '../../client/follow-pages.js';
import { ResolvedSettings } from '../../profiles/resolve.js';
import type { Flags } from '../../profiles/settings/settings.js';

export interface Candidate {
  readonly value: string;
  readonly description?: string | undefined;
}

interface Named {
  readonly id: string;
  readonly name?: string;
}

// Milliseconds; people do not wait longer for a Tab.
const longestWait = 1000;

/** Names and IDs from the largest page. Empty on failure; runs no secret command. */
export async function resourceNames(
  kind: string,
  typed: Flags,
  context: Context,
): Promise<readonly Candidate[]> {
  const resource = resources.find((one) => one.kind === kind);
  if (resource === undefined) return [];
  const names = await readNames(resource, typed, context).catch(() => []);
  const named = names.flatMap(({ id, name }) =>
    name === undefined || hasIdShape(resource, name) ? [] : [{ value: name, description: id }],
  );
  const ids = names.map(({ id, name }) => ({ value: id, description: name }));
  const candidates = [...named, ...ids].filter(({ value }) => isPlainWord(value));
  return [...new Map(candidates.map((candidate) => [candidate.value, candidate])).values()];
}

// Candidates reach a command line unquoted, and other users choose the names.
function isPlainWord(text: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,254}$/.test(text);
}

async function readNames(
  resource: DeclaredResource,
  flags: Flags,
  { system, profiles, apiFor }: Context,
): Promise<readonly Named[]> {
  const settings = new ResolvedSettings({ flags, system, store: profiles() });
  // A secret command may prompt.
  if ((await settings.secretOrigin())?.kind === 'command') return [];
  const api = await apiFor(settings);
  const { page } = await readLargestPage(api[resource.property].list, { deadline: longestWait });
  const names = page.data.flatMap((one): Named[] => {
    const [id, name] = [readId(one), one['name']];
    return id === undefined ? [] : [{ id, ...(typeof name === 'string' ? { name } : {}) }];
  });
  // Commands reject a list with a missing ID, so its names are useless.
  return names.length < page.data.length ? [] : names;
}
