import type { Context } from '../../cli/context.js';
import { readMessage } from '../../errors/errors.js';
import type { ResolvedSettings } from '../../profiles/resolve.js';
import { settingsOfProfile } from '../../profiles/resolve.js';
import type { KnownKey } from '../../proxy/explain-exchange.js';

/** Looks for a key ID in the effective settings, then in all profiles. Reads each secret on first use. */
export function openKnownKeys(context: Context): (keyId: string) => Promise<KnownKey | undefined> {
  const found = new Map<string, KnownKey>();
  const findKey = async (keyId: string): Promise<KnownKey | undefined> => {
    const settings = context.settings();
    const own = await settings.keyId();
    if (own?.value === keyId) {
      const { kind, name } = own.source;
      return readSecret(kind === 'profile' ? `profile "${name}"` : name, settings);
    }
    const { profiles } = await context.profiles().read();
    const [name, profile] = Object.entries(profiles).find(([, stored]) => stored.keyId === keyId) ?? [];
    if (name === undefined || profile === undefined) return undefined;
    return readSecret(`profile "${name}"`, settingsOfProfile(name, profile, context));
  };
  return async (keyId) => {
    // Unreadable settings and profiles count as none: commands that need them report the error.
    const key = found.get(keyId) ?? (await findKey(keyId).catch(() => undefined));
    // Caches only keys that it finds: clients can send any number of other IDs.
    if (key !== undefined) found.set(keyId, key);
    return key;
  };
}

async function readSecret(owner: string, settings: ResolvedSettings): Promise<KnownKey> {
  try {
    return { owner, secret: (await settings.credential()).secret };
  } catch (error) {
    return { owner, problem: readMessage(error) };
  }
}
