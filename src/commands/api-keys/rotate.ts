import type { Context } from '../../cli/context.js';
import { ConfigError } from '../../errors/errors.js';
import type { StoredProfile } from '../../profiles/settings/credential.js';
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

export async function rotateProfileKey(options: RotateOptions, context: Context): Promise<void> {
  if (options.name !== undefined) requireName(options.name);
  const printer = await context.printer();
  printer.check(rotatedKeyView, 'value');
  const rotated = await rotateKey(await requireStored(context), options, context);
  await adviseIfUnwritten(printer.one(rotated, rotatedKeyView), {
    hint: `profile ${JSON.stringify(rotated.profile)} has the new key ${rotated.keyId} and its secret`,
  });
}

/** @throws ConfigError unless the credential is stored in a profile, because the new one is stored there, too */
async function requireStored({ settings }: Context): Promise<StoredProfile> {
  const stored = await settings().stored();
  if (stored !== undefined) return stored;
  throw new ConfigError('rotating needs a profile that stores base URL, key ID and secret itself', {
    hint: 'if a command or the keyring has the secret, create a key and put it there; see where each comes from',
    next: ['orgctl', 'whoami'],
  });
}
