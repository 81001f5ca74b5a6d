import type { MadeAnswer } from '../../api/control/control-answers.js';
import type { QuotaRecord } from '../../api/quota.js';
import { usualRemedies } from '../../signing/refusals/refusal.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import type { Filling } from '../../storage/contents.js';
import type { Store } from '../../storage/store.js';
import { HttpError } from '../http/answer.js';
import { type KeptExchange, toEntry, toShown } from '../journal/entry.js';
import type { Journal } from '../journal/journal.js';
import type { Service } from '../service.js';

/** What can be watched: a server, or a proxy. */
export interface Watched {
  readonly journal: Journal;
  readonly status: () => Omit<MadeAnswer<'status.get'>, 'requests'>;
  /** @throws HttpError 404 without a console */
  readonly consoleLink: () => string;
}

export interface Controlled extends Watched {
  readonly service: Service;
  /** Fills the store at a reset. */
  readonly content: () => Filling;
  readonly isClosed: () => boolean;
  /** The last 20, oldest first, in memory. */
  readonly snapshots: { readonly snapshot: string; readonly time: string; readonly content: Filling }[];
}

/** @throws HttpError 404 */
export function requireEntry(journal: Journal, id: number): KeptExchange {
  const kept = journal.find(id);
  if (kept === undefined) throw new HttpError(404, 'request not found in the journal');
  return kept;
}

/** An entry with its response, and the remedy for its refusal. */
export function detailOf(kept: KeptExchange) {
  const { refusal, ...entry } = toEntry(kept);
  const remedy = refusal && (refusal.remedy ?? usualRemedies[refusal.check]);
  return {
    ...entry,
    ...(refusal && { refusal: { ...refusal, ...(remedy && { remedy }) } }),
    response: kept.exchange.response && toShown(kept.exchange.response),
  };
}

/** The quotas of an organization. @throws HttpError 404 */
export async function requireOrganization({ quotas }: Store, id: string): Promise<QuotaRecord> {
  const record = await quotas.of(id);
  if (Object.keys(record).length > 0) return record;
  throw notFound('organization', id);
}

/** @throws HttpError 404 */
export async function requireKey({ apiKeys }: Store, keyId: string): Promise<KeyCredential> {
  const key = await apiKeys.credential(keyId);
  if (key === undefined) throw notFound('key', keyId);
  return key;
}

export function notFound(what: string, id: string): HttpError {
  return new HttpError(404, `${what} ${JSON.stringify(id)} not found`);
}
