import type { Profile } from '../../profiles/file/parse-profile-file.js';
import { firstProfileHint } from '../../profiles/file/store.js';
import { displayKeyId, maskSecret } from '../../profiles/settings/secret.js';
import type { View } from '../../terminal/output/printer.js';

export type ShownProfile = ReturnType<typeof shownProfile>;

export function shownProfile(name: string, profile: Profile, current: boolean) {
  const { baseUrl, keyId, auth, caFile, readOnly, timeout, deadline, retries, output, managedBy } = profile;
  const { pending, retiring, dialect } = profile;
  return {
    ...{ name, current, baseUrl, keyId: displayKeyId(keyId) },
    secret: describeSecret(profile),
    ...{ auth, caFile, readOnly, dialect: showDialect(dialect) },
    ...{ timeout, deadline, retries, output, managedBy },
    pendingKeyId: pending && displayKeyId(pending.keyId),
    retiringKeyId: retiring === undefined ? undefined : displayKeyId(retiring),
  };
}

export function showDialect(dialect: unknown): string | undefined {
  if (dialect === undefined) return undefined;
  return typeof dialect === 'string' ? dialect : 'from a file';
}

// Hides the command, which may contain credentials for a secret store.
function describeSecret({ secret, secretCommand, keyring }: Profile): string {
  if (keyring) return 'in the keyring';
  if (secretCommand !== undefined) return 'from a command';
  if (secret === undefined) return 'not stored';
  return maskSecret(secret);
}

export const profileView: View<ShownProfile> = {
  columns: [
    { header: 'CURRENT', value: ({ current }) => (current ? '*' : ''), rank: 2 },
    { header: 'NAME', value: 'name', rank: 1 },
    { header: 'BASE URL', value: 'baseUrl', id: true },
    { header: 'KEY ID', value: 'keyId', rank: 3 },
    { header: 'SECRET', value: 'secret', rank: 4 },
    { header: 'AUTH', value: ({ auth = 'hmac' }) => auth, rank: 6 },
    { header: 'READ-ONLY', value: ({ readOnly = false }) => readOnly, rank: 5 },
  ],
  fields: [
    ...(['caFile', 'dialect', 'timeout', 'deadline', 'retries', 'output'] as const),
    ...(['managedBy', 'pendingKeyId', 'retiringKeyId'] as const),
  ],
  empty: `no profiles; ${firstProfileHint}`,
};
