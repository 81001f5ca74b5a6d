import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type DeclaredResource, resources } from '../../api/resources/index.js';
import { hasIdShape, readId } from '../../api/resources/resource.js';
import { z } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { readLargestPage } from '../../client/follow-pages.js';
import { replacePrivately } from '../../platform/durable-file.js';
import { makeDirectory } from '../../platform/make-directory.js';
import { cacheDirectory } from '../../platform/platform-directories.js';
import { readRegularFile } from '../../platform/regular-file.js';
import { type ResolvedSettings, resolve } from '../../profiles/resolve.js';
import type { Flags } from '../../profiles/settings/settings.js';
import { tryParseJson } from '../../text/exact-json.js';

export type NamesContext = Pick<Context, 'system' | 'profiles' | 'apiFor' | 'clock'>;

const namesSchema = z.array(z.object({ id: z.string(), name: z.optional(z.string()) }));
type Names = z.infer<typeof namesSchema>;

const cacheSchema = z.object({ at: z.number(), names: namesSchema });

// Milliseconds; people do not wait longer for a Tab.
const longestWait = 1000;
const keptFor = 60_000;

/** Names and IDs from the largest page, cached for a minute (0600). Empty on failure; runs no secret command. */
export async function resourceNames(
  kind: string,
  typed: Flags,
  context: NamesContext,
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

async function readNames(resource: DeclaredResource, typed: Flags, context: NamesContext): Promise<Names> {
  const { system, profiles } = context;
  const settings = resolve({
    flags: typed,
    env: system.env,
    platform: system.platform,
    store: profiles(),
    stderr: system.stderr,
  });
  const path = await cachePath(resource, settings, system);
  const kept = path === undefined ? undefined : keptNames(path, context.clock());
  if (kept !== undefined) return kept;
  // A secret command may prompt.
  if ((await settings.secretOrigin())?.kind === 'command') return [];
  const api = await context.apiFor(settings);
  const { page } = await readLargestPage(api[resource.property].list, { deadline: longestWait });
  const { data } = page;
  const names = data.flatMap((one): Names => {
    const [id, name] = [readId(one), one['name']];
    return id === undefined ? [] : [{ id, ...(typeof name === 'string' ? { name } : {}) }];
  });
  // Commands reject a list with a missing ID, so its names are useless.
  if (names.length < data.length) return [];
  // Without a cache, the next Tab requests the page again.
  if (path !== undefined) await keepNames(path, names, context.clock()).catch(() => undefined);
  return names;
}

async function cachePath(
  { kind }: DeclaredResource,
  settings: ResolvedSettings,
  system: Context['system'],
): Promise<string | undefined> {
  const directory = cacheDirectory(system);
  if (directory === undefined) return undefined;
  const [profile, baseUrl, keyId] = await Promise.all([
    settings.profile(),
    settings.baseUrl(),
    settings.keyId(),
  ]);
  const key = JSON.stringify([kind, profile?.name, baseUrl?.value.href, keyId?.value]);
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 32);
  return join(directory, 'completion', `${digest}.json`);
}

/** A damaged cache file counts as empty. */
function keptNames(path: string, now: number): Names | undefined {
  try {
    const { success, data } = cacheSchema.safeParse(tryParseJson(readRegularFile(path).toString('utf8')));
    return success && data.at <= now && now - data.at < keptFor ? data.names : undefined;
  } catch {
    return undefined;
  }
}

async function keepNames(path: string, names: Names, at: number): Promise<void> {
  makeDirectory(dirname(path));
  await replacePrivately(path, `${JSON.stringify({ at, names })}\n`);
}

export interface Candidate {
  readonly value: string;
  readonly description?: string | undefined;
}
