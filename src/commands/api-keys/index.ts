import { argument, option, repeatable, verb } from '../../cli/command.js';
import { ownCommand } from '../../cli/help-text.js';
import { UsageError } from '../../errors/errors.js';
import { parseAge, readTime } from '../../text/duration.js';
import type { Keep } from '../resource/list.js';
import { resourceCommand, updateVerb } from '../resource/resource-command.js';
import { apiKey } from './view.js';

const consoleOnly =
  'use the service\'s management console or, for a local server, "orgctl local keys enable".';

const evenMine = option('--even-mine', 'with --yes: allow this for the key you are using');

const create = verb('create', {
  summary: 'create an API key; its secret is shown once',
  description:
    'Create an API key. Its secret is shown only once. The API reference does not describe the body, so your service may expect other fields.',
  options: [
    option('--name <name>', 'name of the key'),
    repeatable('--field <k=v>', 'another field of the body; k:=v for JSON'),
    option('-d, --data <json>', 'fields of the body as a JSON object: text, @file, or - for stdin'),
    option('--save-profile <name>', 'save ID and secret as a new profile instead of printing the secret', {
      conflicts: ['secretFile'],
    }),
    option('--secret-file <path>', 'write the secret to a new file (0600) instead of printing it'),
  ],
  examples: [['orgctl api-keys create --name ci', 'prints ID and secret']],
  calls: 'service',
  writes: ['service', 'profiles', 'files'],
  asks: 'for a name if no other field is given',
  exits: ['quota_exceeded'],
  run: async (context, _words, options) => (await import('./create.js')).createApiKey(options, context),
});

const disable = verb('disable', {
  summary: 'disable an API key',
  description: `Disable an API key. Its requests are then refused. The API cannot re-enable it: ${consoleOnly} ${ownCommand}`,
  args: [argument('<id-or-name>', 'ID or exact name of the API key')],
  options: [option('-y, --yes', 'do not prompt'), evenMine],
  examples: [['orgctl api-keys disable ci', 'refuse its requests until it is enabled again']],
  calls: 'service',
  writes: ['service'],
  asks: 'on a terminal, unless --yes; for the ID of the key you are using, unless --yes --even-mine',
  run: async (context, [text], options) => (await import('./own-key.js')).disableKey(text, options, context),
});

const enable = {
  hidden: true,
  ...verb('enable', {
    summary: 'explain how to re-enable a disabled key',
    description: `Explain how to re-enable a disabled API key. The API has no call for this: ${consoleOnly}`,
    args: [argument('[id]', 'ID of an API key')],
    examples: [['orgctl local keys enable ci', 'on a local server']],
    async run(_context, [id = 'ID']) {
      throw new UsageError('the API cannot enable API keys: use the management console', {
        hint: 'on a local server',
        next: ['orgctl', 'local', 'keys', 'enable', id],
      });
    },
  }),
};

const rotate = verb('rotate', {
  summary: "replace the active profile's key with a new one",
  description:
    "Replace the active profile's key: create and store a new one, verify it with a GET, switch to it, and delete the old one. If it is interrupted, the profile still works: run the command again, and it continues with the new key.",
  options: [
    option('--name <name>', 'name of the new key; default: "orgctl PROFILE" and a random suffix'),
    option('--keep-old', 'leave the old key valid'),
    option('-y, --yes', 'do not prompt'),
  ],
  examples: [['orgctl api-keys rotate -p prod', 'a new key for prod']],
  calls: 'service',
  writes: ['service', 'profiles'],
  asks: 'on a terminal, unless --yes',
  exits: ['quota_exceeded'],
  run: async (context, _words, options) => (await import('./rotate.js')).rotateProfileKey(options, context),
});

export const apiKeys = resourceCommand({
  ...apiKey,
  description: 'Create, list, rename, disable, rotate and delete API keys.',
  examples: [['orgctl api-keys create --name ci', 'the secret is shown once']],
  create,
  update: updateVerb(apiKey),
  further: [disable, enable, rotate],
  filters: [
    {
      option: option('--disabled', 'only disabled keys; --all searches all pages'),
      keep: ({ disabled }) => (disabled === true ? isDisabled : undefined),
    },
    {
      option: option(
        '--unused-for <duration>',
        'only keys unused for this long, such as 90d; --all searches all pages',
      ),
      keep: ({ unusedFor }, now) => (typeof unusedFor === 'string' ? unusedSince(unusedFor, now) : undefined),
    },
  ],
  guard: {
    option: evenMine,
    confirm: async (...given) => (await import('./own-key.js')).confirmOwnKey('delete', ...given),
  },
});

const isDisabled: Keep = ({ enabled }) => (typeof enabled === 'boolean' ? !enabled : { unread: 'enabled' });

/** Matches keys last used (if never used: created) at least this long ago. @throws UsageError for an invalid duration */
function unusedSince(duration: string, now: number): Keep {
  const age = parseAge(duration);
  if (age === undefined)
    throw new UsageError(`--unused-for ${duration}: not a duration`, { hint: 'for example 90d, 12h or 30m' });
  return (key) => {
    // A missing `last_used_at` decides nothing. Some services write "never" as null or as a zero time.
    const field = isNever(key['last_used_at']) ? 'created_at' : 'last_used_at';
    const moment = isNever(key[field]) ? undefined : readTime(key[field]);
    return moment === undefined ? { unread: field } : moment <= now - age;
  };
}

/** Whether a time is null or zero, such as Go's year 1 or the Unix epoch. */
function isNever(time: unknown): boolean {
  return [null, 0, '0'].some((never) => time === never) || (readTime(time) ?? 1) <= 0;
}
