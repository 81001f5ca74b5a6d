import { resources } from '../../api/resources/index.js';
import { hasIdShape, readId } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { readLargestPage } from '../../client/follow-pages.js';
import { ResolvedSettings } from '../../profiles/resolve.js';
import type { Flags } from '../../profiles/settings/settings.js';

export interface Candidate {
  readonly value: string;
  readonly description?: string | undefined;
}

// Milliseconds; people do not wait longer for a Tab.
const longestWait = 1000;

/** Names and IDs from the largest page. Empty on failure; runs no secret command. */
export async function resourceNames(
  kind: string,
  flags: Flags,
  { system, profiles, apiFor }: Context,
): Promise<readonly Candidate[]> {
  const resource = resources.find((one) => one.kind === kind);
  if (resource === undefined) return [];
  try {
    const settings = new ResolvedSettings({ flags, system, store: profiles() });
    // A secret command may prompt.
    if ((await settings.secretOrigin())?.kind === 'command') return [];
    const api = await apiFor(await settings.service());
    const { page } = await readLargestPage(api[resource.property].list, { deadline: longestWait });
    const rows = page.data.map((row) => [readId(row) ?? '', String(row['name'] ?? '')] as const);
    // A name with the shape of an ID would stand for another resource.
    const names = rows
      .filter(([, name]) => !hasIdShape(resource, name))
      .map(([id, name]) => [name, id] as const);
    return [...new Map([...names, ...rows])]
      .filter(([value]) => isPlainWord(value))
      .map(([value, description]) => ({ value, description }));
  } catch {
    return [];
  }
}

// Candidates reach a command line unquoted, and other users choose the names.
function isPlainWord(text: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,254}$/.test(text);
}
