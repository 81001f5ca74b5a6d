import type { Context } from '../../cli/context.js';
import { readMessage } from '../../errors/errors.js';
import type { Profile } from '../../profiles/file/profile-file.js';
import type { KnownKey } from '../../proxy/explain/explain-exchange.js';
import { settingsOfProfile } from '../settings-of-profile.js';

type KeyContext = Pick<Context, 'system' | 'signal' | 'settings' | 'profiles'>;

/** Looks for a key ID in the effective settings, then in all profiles. Reads each secret on first use. */
export function openKnownKeys(context: KeyContext): (keyId: string) => Promise<KnownKey | undefined> {
  const found = new Map<string, KnownKey>();
  const readProfiles = readOnce(context);
  return async (keyId) => {
    const kept = found.get(keyId);
    if (kept !== undefined) return kept;
    const key =
      (await findKeyInUse(keyId, context)) ?? (await findKeyOfProfile(keyId, await readProfiles(), context));
    // Caches only keys that it finds: clients can send any number of other IDs.
    if (key !== undefined) found.set(keyId, key);
    return key;
  };
}

async function findKeyInUse(keyId: string, { settings }: KeyContext): Promise<KnownKey | undefined> {
  const own = await settings()
    .keyId()
    .catch(() => undefined);
  if (own?.value !== keyId) return undefined;
  const owner = own.source.kind === 'profile' ? `profile "${own.source.name}"` : own.source.name;
  return readSecret(owner, () => settings().credential());
}

async function findKeyOfProfile(
  keyId: string,
  profiles: readonly (readonly [name: string, profile: Profile])[],
  context: KeyContext,
): Promise<KnownKey | undefined> {
  const [name, profile] = profiles.find(([, { keyId: own }]) => own === keyId) ?? [];
  if (name === undefined || profile === undefined) return undefined;
  return readSecret(`profile "${name}"`, () => settingsOfProfile(name, profile, context).credential());
}

async function readSecret(
  owner: string,
  read: () => Promise<{ readonly secret: string }>,
): Promise<KnownKey> {
  try {
    return { owner, secret: (await read()).secret };
  } catch (error) {
    return { owner, problem: readMessage(error) };
  }
}

/** An unreadable profile file counts as empty; commands that need it report the error. */
function readOnce({ profiles }: KeyContext): () => Promise<readonly (readonly [string, Profile])[]> {
  let reading: Promise<readonly (readonly [string, Profile])[]> | undefined;
  return () => {
    reading ??= Promise.resolve()
      .then(() => profiles().read())
      .then(
        (file) => Object.entries(file.profiles),
        () => [],
      );
    return reading;
  };
}
