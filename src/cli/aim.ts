import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { AddOptions } from '../errors/advice.js';
import type { Context } from './context.js';

/** Options for the same service, and for the same server of this machine. */
interface Target {
  readonly service: readonly string[];
  readonly server: readonly string[];
}

const isOfServer = (noun: string | undefined) => noun === 'local' || noun === 'serve';

/** Adds the target's options to a suggested command, before any `--`. A command that names its target keeps it. */
function aim(words: readonly string[], { service, server }: Target): readonly string[] {
  const noun = words[words.indexOf('orgctl') + 1] ?? '';
  const named = ['--help', ...(isOfServer(noun) ? ['--data'] : ['-p', '--profile', '--base-url'])];
  // These act on no service, or name their own.
  const isUntargeted = /^(?:profile|help|completion|openapi|-.*)?$/.test(noun);
  if (isUntargeted || words.some((word) => named.includes(word))) return words;
  const dashes = words.indexOf('--');
  const at = dashes === -1 ? words.length : dashes;
  return words.toSpliced(at, 0, ...(isOfServer(noun) ? server : service));
}

/** Returns the function that aims commands at what this command line acts on. */
export async function openAim(
  context: Context,
  command: CommandUnknownOpts | undefined,
): Promise<AddOptions> {
  const { profile, baseUrl } = context.flags();
  const name = profile ?? (context.system.env['ORGCTL_PROFILE'] || undefined);
  // A typed address may hold a password: users put it in again.
  const address = baseUrl === undefined ? [] : ['--base-url', 'URL'];
  const service = [...(name === undefined ? [] : ['-p', name]), ...address];
  const isLocal = isOfServer(topName(command));
  const data = isLocal ? command?.opts()['data'] : await dataOfProfile(context);
  const server = typeof data === 'string' ? ['--data', data] : [];
  // `local` must not act on the server of this machine by chance.
  const unknown = isLocal || data !== undefined ? server : ['--data', 'DIR'];
  return (words) => aim(words, { service, server: words.includes('local') ? unknown : server });
}

function topName(command: CommandUnknownOpts | undefined): string | undefined {
  return command?.parent?.parent ? topName(command.parent) : command?.name();
}

/** The directory of the server that keeps the profile in use up to date. An unusable profile is reported by itself. */
async function dataOfProfile({ settings }: Context): Promise<string | undefined> {
  const found = await settings()
    .profile()
    .catch(() => undefined);
  return found?.profile.managedBy === undefined ? undefined : found.profile.data;
}
