import { command, option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { ConfigError } from '../../errors/errors.js';
import type { StoredProfile } from '../../profiles/settings/credential.js';
import { describeSource } from '../../profiles/settings/settings.js';
import type { TypedView } from '../../terminal/output/printer.js';
import { adviseIfUnwritten } from '../resource/print.js';
import { requireName } from '../resource/update.js';
import { type RotatedKey, type RotateOptions, rotateKey } from './rotation.js';

const rotatedKeyView: TypedView<RotatedKey> = {
  columns: [
    { header: 'PROFILE', value: 'profile' },
    { header: 'KEY ID', value: 'keyId' },
    { header: 'REPLACED', value: 'replaced', id: true },
    { header: 'OLD KEY', value: ({ oldKeyDeleted }) => (oldKeyDeleted ? 'deleted' : 'still valid') },
  ],
  fields: ['oldKeyDeleted'],
  example: { profile: 'example', keyId: 'key_0', replaced: 'key_1', oldKeyDeleted: true },
};

export const rotate = command({
  description:
    "Replace the active profile's key: create a new one, verify it with a GET, store it in the profile, and delete the old one. If it is interrupted, the profile still works: run the command again, and it continues with the new key. If the service then refuses that key, its secret goes to a recovery file beside the profiles, and another key is created.",
  options: [
    option(
      '--name <name>',
      'name of the new key, such as the one in an organization file; default: "orgctl PROFILE SUFFIX" with a random suffix',
    ),
    option('--keep-old', 'leave the old key valid'),
    option('-y, --yes', 'do not prompt'),
  ],
  examples: [
    ['orgctl api-keys rotate -p prod', 'a new key for prod'],
    ['orgctl api-keys rotate --keep-old', 'if others still use the old key'],
  ],
  calls: 'service',
  writes: ['service', 'profiles'],
  asks: 'on a terminal, unless --yes',
  exits: ['quota_exceeded'],
  run: (context, _args, options) => rotateProfileKey(options, context),
});

async function rotateProfileKey(options: RotateOptions, context: Context): Promise<void> {
  if (options.name !== undefined) requireName(options.name);
  const printer = await context.printer();
  printer.check(rotatedKeyView, 'value');
  const rotated = await rotateKey(await requireStored(context), options, context);
  const { profile, keyId, replaced, oldKeyDeleted } = rotated;
  const fate = oldKeyDeleted ? 'was deleted' : 'is still valid';
  await adviseIfUnwritten(printer.one(rotated, rotatedKeyView), {
    hint: `profile ${JSON.stringify(profile)} has the new key ${keyId} and its secret; ${replaced} ${fate}`,
  });
}

/** @throws ConfigError unless the credential is stored in a profile, because the new one is stored there, too */
async function requireStored({ settings }: Context): Promise<StoredProfile> {
  const resolved = settings();
  const stored = await resolved.stored();
  if (stored !== undefined) return stored;
  const origin = await resolved.secretOrigin();
  if (origin?.kind === 'keyring') {
    throw new ConfigError(
      `the secret of ${describeSource(origin.source)} is in the keyring, but rotating stores secrets in the profile file`,
      {
        hint: 'create a key, then give it to the profile',
        next: ['orgctl', 'profile', 'set', origin.source.name, '--key-id', 'KEY_ID'],
      },
    );
  }
  throw new ConfigError('rotating needs a profile with its own base URL, key ID and secret', {
    hint: 'if a command supplies the secret, rotate the key where the command reads it; see where each comes from',
    next: ['orgctl', 'whoami'],
  });
}
