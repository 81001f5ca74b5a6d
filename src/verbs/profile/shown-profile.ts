import type { Profile } from '../../profiles/file/profile-file.js';
import { displayKeyId, maskSecret } from '../../profiles/settings/secret.js';
import type { View } from '../../terminal/output/printer.js';
import { showDialect } from './dialect.js';

export interface ShownProfile {
  readonly name: string;
  readonly current: boolean;
  readonly baseUrl: string;
  readonly keyId: string;
  /** Whether it is set and how long it is, or where it is stored. */
  readonly secret: string;
  readonly auth?: string | undefined;
  readonly caFile?: string | undefined;
  readonly readOnly?: boolean | undefined;
  /** The name of a preset, or that it is from a file. */
  readonly dialect?: string | undefined;
  readonly timeout?: string | undefined;
  readonly deadline?: string | undefined;
  readonly retries?: string | number | undefined;
  readonly output?: string | undefined;
  readonly managedBy?: string | undefined;
}

export function shownProfile(name: string, profile: Profile, current: boolean): ShownProfile {
  const { baseUrl, keyId, auth, caFile, readOnly, timeout, deadline, retries, output, managedBy } = profile;
  return {
    name,
    current,
    baseUrl,
    keyId: displayKeyId(keyId),
    secret: describeSecret(profile),
    auth,
    caFile,
    readOnly,
    dialect: showDialect(profile),
    timeout,
    deadline,
    retries,
    output,
    managedBy,
  };
}

// Hides the command: it may hold the credentials of another secret store.
function describeSecret({ secret, secretCommand, keyring }: Profile): string {
  if (keyring) return 'in the keyring';
  if (secretCommand !== undefined) return 'from a command';
  return secret === undefined ? 'not stored' : maskSecret(secret);
}

export const profileView: View<ShownProfile> = {
  columns: [
    { header: 'CURRENT', value: ({ current }) => (current ? '*' : '') },
    { header: 'NAME', value: 'name' },
    { header: 'BASE URL', value: 'baseUrl' },
    { header: 'KEY ID', value: 'keyId' },
    { header: 'SECRET', value: 'secret' },
    { header: 'AUTH', value: ({ auth = 'hmac' }) => auth },
    { header: 'READ-ONLY', value: ({ readOnly = false }) => readOnly },
  ],
  empty: 'no profiles; make one: orgctl profile add NAME --base-url https://… --key-id key_…',
};
