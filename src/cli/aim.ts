import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { AddOptions } from '../errors/advice.js';
import type { Context } from './context.js';

/** Options that a suggested command needs to act on the same service and the same server of this machine. */
interface Target {
  readonly service: readonly string[];
  readonly server: readonly string[];
}

/** Commands that act on no service, or name their own. */
const untargeted: ReadonlySet<string> = new Set(['profile', 'help', 'completion', 'openapi']);

const serverNouns: ReadonlySet<string | undefined> = new Set(['local', 'serve']);

/** Adds the target's options to a suggested command, before any `--`. A command that names its target keeps it. */
function aim(words: readonly string[], { service, server }: Target): readonly string[] {
  const noun = words[words.indexOf('orgctl') + 1] ?? '';
  const ofServer = serverNouns.has(noun);
  const options = ofServer ? server : untargeted.has(noun) || noun.startsWith('-') ? [] : service;
  const named = ['--help', ...(ofServer ? ['--data'] : ['-p', '--profile', '--base-url'])];
  if (words.some((word) => named.includes(word))) return words;
  const dashes = words.indexOf('--');
  return words.toSpliced(dashes === -1 ? words.length : dashes, 0, ...options);
}

/** Returns the function that aims commands at what this command line acts on. */
export async function openAim(
  context: Context,
  command: CommandUnknownOpts | undefined,
): Promise<AddOptions> {
  const { profile, baseUrl } = context.flags();
  const name = profile ?? (context.system.env['ORGCTL_PROFILE'] || undefined);
  // A typed address may hold a password: users put it in again.
  const service = [
    ...(name === undefined ? [] : ['-p', name]),
    ...(baseUrl === undefined ? [] : ['--base-url', 'URL']),
  ];
  const isOfServer = serverNouns.has(topName(command));
  const data = isOfServer ? command?.opts()['data'] : await dataOfProfile(context);
  const server = typeof data === 'string' ? ['--data', data] : [];
  // `local` must not act on the server of this machine by chance.
  const unknown = isOfServer || data !== undefined ? server : ['--data', 'DIR'];
  return (words) => aim(words, { service, server: words.includes('local') ? unknown : server });
}

/** For commands about a stored profile other than the one in use. */
export function aimAtProfile(name: string, data: string | undefined): AddOptions {
  const target = { service: ['-p', name], server: data === undefined ? [] : ['--data', data] };
  return (words) => aim(words, target);
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
