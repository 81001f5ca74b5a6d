import type { Profile } from '../file/profile-file.js';
import type { ResolvedSettings } from '../resolve.js';

export interface StoredProfile {
  readonly name: string;
  readonly profile: Profile;
}

/** The profile in use, if base URL, key ID and secret are all stored in it: only then can rotation store a new key. */
export async function findStored(resolved: ResolvedSettings): Promise<StoredProfile | undefined> {
  const active = await resolved.profile();
  const origin = await resolved.secretOrigin();
  const sources = [
    (await resolved.keyId())?.source,
    (await resolved.baseUrl())?.source,
    origin?.kind === 'value' ? origin.secret.source : undefined,
  ];
  const isOwn = sources.every((source) => source?.kind === 'profile');
  return active !== undefined && isOwn ? { name: active.name, profile: active.profile } : undefined;
}
