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

export async function rotateProfileKey(options: RotateOptions, context: Context): Promise<void> {
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
  const stored = await settings().stored();
  if (stored !== undefined) return stored;
  const origin = await settings().secretOrigin();
  if (origin?.kind === 'keyring') {
    const what = `the secret of ${describeSource(origin.source)} is in the keyring, but rotating stores secrets in the profile file`;
    throw new ConfigError(what, {
      hint: 'create a key, then give it to the profile',
      next: ['orgctl', 'profile', 'set', origin.source.name, '--key-id', 'KEY_ID'],
    });
  }
  throw new ConfigError('rotating needs a profile with its own base URL, key ID and secret', {
    hint: 'if a command supplies the secret, rotate the key where the command reads it; see where each comes from',
    next: ['orgctl', 'whoami'],
  });
}
