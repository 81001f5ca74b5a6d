import type { Resource } from '../../api/resources/resource.js';
import { isPast, readFlag, simplifyName, stateFields } from './record/record-mark.js';

/** Compared with names in lower case, without `_` and `-`. A revoked key counts as deleted. */
const verbs = ['deleted', 'removed', 'revoked'];
const flags: ReadonlySet<string> = new Set(verbs.flatMap((verb) => [verb, `is${verb}`]));
const times: ReadonlySet<string> = new Set([
  ...verbs.flatMap((verb) => [`${verb}at`, `${verb}on`]),
  'deletiontime',
]);

/**
 * Whether a resource says that it is deleted; `undefined` if it says nothing. Ignores words that may mean something
 * reversible or unfinished, such as `archived`, `inactive` and `deleting`.
 */
export function readDeletionMark(resource: Resource): boolean | undefined {
  const marks = Object.entries(resource).map(([name, value]) => readMark(simplifyName(name), value));
  if (marks.includes(true)) return true;
  return marks.includes(false) ? false : undefined;
}

function readMark(name: string, value: unknown): boolean | undefined {
  if (flags.has(name)) return readFlag(value);
  const isState = stateFields.has(name) && typeof value === 'string';
  const isDeleted = isState ? verbs.includes(value.toLowerCase()) : times.has(name) && isPast(value);
  return isDeleted || undefined;
}
