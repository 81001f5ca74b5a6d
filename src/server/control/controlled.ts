import type { MadeAnswer } from '../../api/control/call-types.js';
import type { QuotaRecord } from '../../api/quota.js';
import { usualRemedies } from '../../signing/refusals/refusal.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import type { Filling, StoredContent } from '../../storage/contents.js';
import type { Store } from '../../storage/store.js';
import { HttpError } from '../http/answer.js';
import type { Journal } from '../journal/journal.js';
import { type KeptExchange, toEntry, toShown } from '../journal/kept-exchange.js';
import type { Service } from '../service.js';

type Status = MadeAnswer<'status.get'>;

/** What can be watched: a server, or a proxy. */
export interface Watched {
  readonly journal: Journal;
  /** Facts and settings. */
  readonly status: () => Omit<Status, 'requests'>;
  /** @throws HttpError 404 without a console */
  readonly consoleLink: () => string;
}

interface Snapshot {
  readonly snapshot: string;
  readonly time: string;
  readonly content: StoredContent;
}

interface ControlledParts {
  readonly service: Service;
  readonly consoleLink: Watched['consoleLink'];
  readonly facts: () => Omit<Status, 'requests' | 'clock' | 'faults' | 'stubs' | 'rateLimit'>;
  /** The data of a new server. */
  readonly content: () => Filling;
  readonly isClosed: () => boolean;
}

/** A server under control. */
export interface Controlled extends Watched, ControlledParts {
  /** The last 20, oldest first, in memory. */
  readonly snapshots: Snapshot[];
  /** Whether the console's page asks, which must not get secrets of existing keys. */
  readonly isPage: boolean;
}

export function controlService(parts: ControlledParts): Controlled {
  const { service, facts } = parts;
  const { journal, serverClock, faults, stubs, rateLimiter } = service;
  return {
    ...parts,
    journal,
    status: () => ({
      ...facts(),
      clock: serverClock.state,
      faults: faults.get(),
      stubs: stubs.get().map(({ request, status, hits }) => ({ request, status, hits })),
      rateLimit: rateLimiter.limit ?? null,
    }),
    snapshots: [],
    isPage: false,
  };
}

/** @throws HttpError 404 */
export function requireEntry(journal: Journal, id: number): KeptExchange {
  const kept = journal.find(id);
  if (kept === undefined) throw new HttpError(404, 'request not found in the journal');
  return kept;
}

/** An entry with its response, and with the remedy for its refusal. */
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
  throw new HttpError(404, `organization ${JSON.stringify(id)} not found`);
}

/** @throws HttpError 404 */
export async function requireKey({ apiKeys }: Store, keyId: string): Promise<KeyCredential> {
  const key = await apiKeys.credential(keyId);
  if (key === undefined) throw new HttpError(404, `key ${JSON.stringify(keyId)} not found`);
  return key;
}
