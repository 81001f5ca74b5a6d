import type { FaultState } from '../../api/faults/faults.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import type { Contents, Filling, StoredContent } from '../../storage/contents.js';
import type { Store } from '../../storage/store.js';
import { HttpError } from '../http/answer.js';
import type { Journal } from '../journal/journal.js';
import type { KeptExchange } from '../journal/kept-exchange.js';
import type { Service } from '../service.js';
import type { ClockState, ControlledStatus, TakenSnapshot } from './control.js';
import type { Destination } from './explained.js';

export type ServerFacts = Omit<ControlledStatus, 'clock' | 'faults' | 'requests'>;

/** What can be watched: a server, or a proxy. */
export interface Watched {
  readonly journal: Journal;
  readonly facts: () => ServerFacts;
  readonly clockState: () => ClockState;
  readonly faultStates: () => readonly FaultState[];
  /** @throws HttpError 404 without a console */
  readonly consoleLink: () => string;
}

/** A server under control. */
export interface Controlled extends Watched {
  readonly service: Service;
  readonly snapshots: Snapshots;
  /** The data of a new server. */
  readonly content: () => Filling;
  readonly isClosed: () => boolean;
  /** Whether the console's page asks, which must not get secrets of existing keys. */
  readonly isPage: boolean;
}

export function destinationOf({ facts }: Watched): Destination {
  const { url, caFile } = facts();
  return { url: new URL(url).origin, caFile };
}

/** @throws HttpError 404 */
export function requireEntry(journal: Journal, id: number): KeptExchange {
  const kept = journal.find(id);
  if (kept === undefined) throw new HttpError(404, 'request not found in the journal');
  return kept;
}

export function controlService(
  service: Service,
  parts: Pick<Controlled, 'content' | 'isClosed'> & {
    readonly facts: () => Omit<ServerFacts, 'stubs' | 'rateLimit'>;
  },
): Controlled {
  const { store, journal, serverClock, faults, stubs, rateLimiter } = service;
  return {
    ...parts,
    service,
    journal,
    facts: () => ({
      ...parts.facts(),
      stubs: stubs.get().map(({ request, status, hits }) => ({ request, status, hits })),
      rateLimit: rateLimiter.limit ?? null,
    }),
    clockState: () => serverClock.state,
    faultStates: () => faults.get(),
    consoleLink() {
      if (service.console === undefined) throw new HttpError(404, 'this server has no management console');
      return service.console.link();
    },
    snapshots: new Snapshots(store.contents),
    isPage: false,
  };
}

/** Snapshots are in memory. */
const keptSnapshots = 20;

/** The last 20 snapshots. */
export class Snapshots {
  readonly #contents: Contents;
  #kept: (TakenSnapshot & { readonly content: StoredContent })[] = [];
  #taken = 0;

  constructor(contents: Contents) {
    this.#contents = contents;
  }

  /** @param time by the server's clock */
  async take(time: string): Promise<string> {
    const content = await this.#contents.read();
    this.#taken += 1;
    const snapshot = `snapshot_${this.#taken}`;
    this.#kept = [...this.#kept, { snapshot, time, content }].slice(-keptSnapshots);
    return snapshot;
  }

  /** @throws HttpError 404 */
  contentOf(name: string): StoredContent {
    const found = this.#kept.find(({ snapshot }) => snapshot === name);
    if (found !== undefined) return found.content;
    throw new HttpError(404, `snapshot ${JSON.stringify(name)} not found: the oldest ones are dropped`);
  }

  list(): TakenSnapshot[] {
    return this.#kept.map(({ snapshot, time }) => ({ snapshot, time }));
  }
}

export async function requireOrganization({ quotas }: Store, id: string): Promise<void> {
  if (Object.keys(await quotas.of(id)).length === 0)
    throw new HttpError(404, `organization ${JSON.stringify(id)} not found`);
}

export async function requireKey({ apiKeys }: Store, keyId: string): Promise<KeyCredential> {
  const key = await apiKeys.credential(keyId);
  if (key === undefined) throw noSuchKey(keyId);
  return key;
}

export function noSuchKey(keyId: string): HttpError {
  return new HttpError(404, `key ${JSON.stringify(keyId)} not found`);
}
