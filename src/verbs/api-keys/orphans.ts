import { createHash } from 'node:crypto';
import { readSigningId } from '../../api/resources/api-key.js';
import { foldName } from '../../api/resources/folded-name.js';
import type { Resource } from '../../api/resources/resource.js';
import type { PendingCreation } from '../../profiles/file/profile-file.js';
import { type CreationAttempt, canComeFrom, readCreationTime } from '../resource/new-resource.js';

/** With more keys, the record would be too large, so it lists none. */
const maxKeys = 10_000;

export interface Suspects<Key extends Resource = Resource> {
  readonly orphans: readonly Key[];
  /** Other unused keys that have appeared with the recorded name or a close one; the run may not have created them. */
  readonly doubtful: readonly Key[];
}

/** Digests of the existing keys' IDs; `undefined` if there are too many. */
export function digestAll(ids: readonly string[]): string[] | undefined {
  return ids.length > maxKeys ? undefined : ids.map(digestId);
}

/** Whether a key existed before the attempt; `undefined` if the record lists no keys. */
export function existedBefore({ before }: PendingCreation, id: string): boolean | undefined {
  return before?.includes(digestId(id));
}

// A collision would only leave a key undeleted.
function digestId(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 16);
}

/** Unused keys with the recorded name or a close one that are new since the record; `undefined` if it is incomplete. */
export function suspectsAmong<Key extends Resource>(
  keys: readonly Key[],
  left: PendingCreation,
  kept: ReadonlySet<string> = new Set(),
): Suspects<Key> | undefined {
  const attempt = readAttempt(left);
  const { name, before } = left;
  if (name === undefined || before === undefined || attempt === undefined) return undefined;
  const known = new Set(before);
  const form = foldName(name);
  const appeared = keys.filter((key) => {
    const id = String(key['id']);
    return (
      foldName(String(key['name'])) === form &&
      !known.has(digestId(id)) &&
      !kept.has(readSigningId(key) ?? id) &&
      !wasUsed(key)
    );
  });
  // A name that was not generated may be another user's choice.
  const isProved = (key: Key) =>
    key['name'] === name &&
    (left.ownName === true || (readCreationTime(key) !== undefined && listUses(key).length > 0));
  const orphans = appeared.filter((key) => canComeFrom(key, attempt) && isProved(key));
  return { orphans, doubtful: appeared.filter((key) => !orphans.includes(key)) };
}

function readAttempt({ since, until }: PendingCreation): CreationAttempt | undefined {
  const attempt = { since: Date.parse(since), until: Date.parse(until ?? '') };
  return Number.isNaN(attempt.since) || Number.isNaN(attempt.until) ? undefined : attempt;
}

/** A used key is not an orphan, because someone knows its secret. */
function wasUsed(key: Resource): boolean {
  return listUses(key).some((value) => value !== null && value !== undefined && value !== '');
}

/** Values of `last_used_at` in any spelling. If there are none, the key may have been used. */
function listUses(key: Resource): readonly unknown[] {
  return Object.entries(key).flatMap(([name, value]) => (/^last_?used/i.test(name) ? [value] : []));
}
