import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { ResolvedSettings } from '../profiles/resolve.js';
import type { Flags } from '../profiles/settings/settings.js';
import type { System } from '../terminal/process/system.js';

/** Options of this command line that a suggested command needs to act on the same service and server. */
interface Target {
  readonly service: readonly string[];
  readonly server: readonly string[];
}

/** What says where this command line acts. The context is not imported, because it loads this file. */
interface AimedFrom {
  readonly system: Pick<System, 'env'>;
  flags(): Flags;
  settings(): ResolvedSettings;
}

/** Commands that act on no service, or name their own. */
const untargeted: ReadonlySet<string> = new Set(['profile', 'help', 'completion', 'openapi']);

/** Adds the target's options to a suggested command, before any `--`. A command that names its target keeps it. */
function aim(words: readonly string[], { service, server }: Target): readonly string[] {
  const noun = words[words.indexOf('orgctl') + 1] ?? '';
  const ofServer = noun === 'local' || noun === 'serve';
  const options = ofServer ? server : untargeted.has(noun) || noun.startsWith('-') ? [] : service;
  const named = ['--help', ...(ofServer ? ['--data'] : ['-p', '--profile', '--base-url'])];
  if (options.length === 0 || words.some((word) => named.includes(word))) return words;
  const dashes = words.indexOf('--');
  const end = dashes === -1 ? words.length : dashes;
  return words.toSpliced(end, 0, ...options);
}

/** Returns a function that aims commands at what this command line acts on. */
export async function openAim(
  context: AimedFrom,
  command: CommandUnknownOpts | undefined,
): Promise<(words: readonly string[]) => readonly string[]> {
  const { profile, baseUrl } = context.flags();
  const name = profile ?? (context.system.env['ORGCTL_PROFILE'] || undefined);
  const service = [
    ...(name === undefined ? [] : ['-p', name]),
    ...(baseUrl === undefined ? [] : ['--base-url', await shownAddress(context)]),
  ];
  const top = topName(command);
  const isOfServer = top === 'local' || top === 'serve';
  const data = isOfServer ? command?.opts()['data'] : await dataOfProfile(context);
  const server = typeof data === 'string' ? ['--data', data] : [];
  // `local` must not act on the server of this machine by chance.
  const unknown = isOfServer || data !== undefined ? server : ['--data', 'DIR'];
  return (words) => aim(words, { service, server: words.includes('local') ? unknown : server });
}

/** An address that does not parse may hold a password, and is not shown. */
async function shownAddress({ settings }: AimedFrom): Promise<string> {
  return (await readOrNothing(() => settings().baseUrl()))?.value.href ?? 'URL';
}

function topName(command: CommandUnknownOpts | undefined): string | undefined {
  return command?.parent?.parent ? topName(command.parent) : command?.name();
}

/** The directory of the server that keeps the profile in use up to date. */
async function dataOfProfile({ settings }: AimedFrom): Promise<string | undefined> {
  const found = await readOrNothing(() => settings().profile());
  return found?.profile.managedBy === undefined ? undefined : found.profile.data;
}

/** Whatever is wrong with the settings has been, or will be, reported by itself, and must not replace the error at hand. */
async function readOrNothing<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}
