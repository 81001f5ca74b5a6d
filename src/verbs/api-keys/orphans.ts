import { createHash } from 'node:crypto';
import type { Resource } from '../../api/resources/resource.js';
import type { PendingCreation } from '../../profiles/file/profile-file.js';
import { type Attempt, canComeFrom } from '../resource/created-at.js';

/** A record of more keys would be too large: nothing is told by it then. */
const mostKeys = 10_000;

/** The keys that an interrupted run may have created without storing their secrets. */
export interface Suspects<Key extends Resource = Resource> {
  readonly orphans: readonly Key[];
  /** Those that have appeared under the name, but were not created during the attempt. */
  readonly doubtful: readonly Key[];
}

/** What a record has of the keys that there are; `undefined` when there are too many. */
export function digestsOf(ids: readonly string[]): string[] | undefined {
  return ids.length > mostKeys ? undefined : ids.map(digestOf);
}

/** Whether a record says that a key existed before the attempt; `undefined` where it says nothing of keys. */
export function existedBefore({ before }: PendingCreation, id: string): boolean | undefined {
  return before?.includes(digestOf(id));
}

// Two alike are as good as impossible, and the worse of their consequences is a key that stays.
function digestOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 16);
}

/**
 * The keys that an interrupted run may have created: those never used that have appeared under the name since. If there
 * are several, nobody knows which, unless the name was made up for it. `undefined` when the record cannot tell.
 *
 * @param kept IDs of keys that are in use, as far as this machine knows
 */
export function suspectsAmong<Key extends Resource>(
  keys: readonly Key[],
  left: PendingCreation,
  kept: ReadonlySet<string> = new Set(),
): Suspects<Key> | undefined {
  const attempt = attemptOf(left);
  const { name, before } = left;
  if (name === undefined || before === undefined || attempt === undefined) return undefined;
  const known = new Set(before);
  const appeared = keys.filter((key) => {
    const id = String(key['id']);
    return key['name'] === name && !known.has(digestOf(id)) && !kept.has(id) && !wasUsed(key);
  });
  const orphans = appeared.filter((key) => canComeFrom(key, attempt));
  return { orphans, doubtful: appeared.filter((key) => !orphans.includes(key)) };
}

function attemptOf({ since, until }: PendingCreation): Attempt | undefined {
  const attempt = { since: Date.parse(since), until: Date.parse(until ?? '') };
  return Number.isNaN(attempt.since) || Number.isNaN(attempt.until) ? undefined : attempt;
}

/** Then somebody has its secret. The reference names `last_used_at`; other spellings count too. */
function wasUsed(key: Resource): boolean {
  return Object.entries(key).some(
    ([name, value]) => /^last_?used/i.test(name) && value !== null && value !== undefined && value !== '',
  );
}
