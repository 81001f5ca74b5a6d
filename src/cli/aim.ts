import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { AddOptions } from '../errors/advice.js';
import type { Context } from './context.js';

const isOfServer = (noun: string | undefined) => noun === 'local' || noun === 'serve';

/** Adds this command line's target to a suggested command that names none. */
export function openAim({ flags, system }: Context, command: CommandUnknownOpts | undefined): AddOptions {
  const { profile, baseUrl } = flags();
  const name = profile ?? (system.env['ORGCTL_PROFILE'] || undefined);
  // A typed address may hold a password: users put it in again.
  const address = baseUrl === undefined ? [] : ['--base-url', 'URL'];
  const service = [...(name === undefined ? [] : ['-p', name]), ...address];
  const isLocal = isOfServer(topName(command));
  const data = command?.opts()['data'];
  const server = isLocal && typeof data === 'string' ? ['--data', data] : [];
  return (words) => {
    const noun = words[words.indexOf('orgctl') + 1] ?? '';
    const own = ['--help', ...(isOfServer(noun) ? ['--data'] : ['-p', '--profile', '--base-url'])];
    // These act on no service, or name their own.
    const isUntargeted = /^(?:profile|help|completion|openapi|-.*)?$/.test(noun);
    if (isUntargeted || words.some((word) => own.includes(word))) return words;
    // `local` must not act on the server of this machine by chance.
    const added = noun === 'local' && !isLocal ? ['--data', 'DIR'] : isOfServer(noun) ? server : service;
    return words.toSpliced(words.includes('--') ? words.indexOf('--') : words.length, 0, ...added);
  };
}

function topName(command: CommandUnknownOpts | undefined): string | undefined {
  return command?.parent?.parent ? topName(command.parent) : command?.name();
}
