import type { ApiKey, QuotaKind, QuotaRecord } from '../../contract/records.js';
import type { ListedOrganization } from '../../storage/organizations.js';
import type { RateLimit } from '../../storage/rate-windows.js';
import type { Refusal } from '../explain/refusal.js';
import type { FaultState } from '../faults/faults.js';
import type { FollowOptions, JournalBatch, JournalCounts, JournalQuery } from '../journal/journal.js';
import type { JournalFilter } from '../journal/journal-filter.js';
import type { JournalEntry } from '../journal/kept-exchange.js';

/**
 * What a test does to a running server [ours]. The control API under `/_control` offers the same over HTTP
 * (docs/serve.md).
 */
export interface Control {
  /**
   * Makes the server what it was when it was started: the first organization with its first key alone, or the seed; the
   * clock, the faults and the counts of the rate limit as at the start; an empty journal. Snapshots stay.
   */
  reset(): Promise<void>;
  /** Remembers all data, and answers the name by which `restore` finds it. The last 100 are kept, in memory. */
  snapshot(): Promise<string>;
  /** Makes all data what it was. @throws ServiceError `not_found` when there is no such snapshot. */
  restore(snapshot: string): Promise<void>;
  /** Those that `restore` finds, oldest first. */
  snapshots(): TakenSnapshot[];
  /** What is running here, and what it is set to. */
  status(): ControlledStatus;
  /** Every organization with its quotas, oldest first. */
  organizations(): Promise<ListedOrganization[]>;
  /** An address of the management console that lets one browser in, within a minute. @throws HttpError 404 where there is none. */
  consoleLink(): string;
  readonly clock: ControlledClock;
  readonly faults: ControlledFaults;
  readonly rateLimit: ControlledRateLimit;
  readonly quotas: ControlledQuotas;
  readonly keys: ControlledKeys;
  readonly journal: ControlledJournal;
  readonly signatures: ControlledSignatures;
}

/** Says why a signature is refused, before it is sent or long after. */
export interface ControlledSignatures {
  /** @throws HttpError 404 when there is no such key. */
  check(signed: SignedRequest): Promise<SignatureVerdict>;
}

/** A request as its client means to send it. */
export interface SignedRequest {
  readonly keyId: string;
  readonly method: string;
  /** Path and query, as on the request line. */
  readonly target: string;
  /** The values of `X-API-Timestamp`, `Content-Type` and `X-API-Signature`. */
  readonly timestamp: string;
  readonly contentType?: string | undefined;
  readonly signature: string;
  /** Text is UTF-8. */
  readonly body?: string | Buffer | undefined;
}

export interface SignatureVerdict {
  /** Whether the signature is that of the request, however old it is. */
  readonly matches: boolean;
  /** What the service would refuse it for now, in its order; none: it is accepted. */
  readonly refusals: readonly Refusal[];
  /** What is to be signed, on one line with its line ends visible; secrets are masked. */
  readonly canonical: string;
  /** A curl command that is accepted, once the words in capitals are replaced. */
  readonly curl: string;
}

/** An entry of the journal, with all that there is to say of it. */
export interface JournalDetail extends JournalEntry {
  /** As in `SignatureVerdict`; absent where another request is not what is wanted. */
  readonly curl?: string;
}

/** A snapshot that was taken. */
export interface TakenSnapshot {
  readonly snapshot: string;
  /** When: ISO 8601, by the server's clock. */
  readonly time: string;
}

/** What a server says of itself. */
export interface ControlledStatus {
  readonly url: string;
  readonly pid: number;
  /** ISO 8601, by the machine's clock. */
  readonly startedAt: string;
  /** The first organization, and the key that the server was started with. */
  readonly organization: string;
  readonly keyId: string;
  /** The data directory; absent when nothing is kept. */
  readonly data?: string;
  /** Where the shared database is; absent when there is none. */
  readonly database?: string;
  /** Where the management console is, without a token; absent where there is none. */
  readonly console?: string | undefined;
  /** PEM file of the authority that issued the certificate; absent with plain HTTP or a certificate of one's own. */
  readonly caFile?: string | undefined;
  readonly clock: ClockState;
  readonly faults: readonly FaultState[];
  /** `null` where there is none. */
  readonly rateLimit: RateLimit | null;
  /** Whether the server was given a way to keep keys as profiles. */
  readonly savesProfiles: boolean;
  /** Since the start, whatever was cleared or reset since. */
  readonly requests: JournalCounts;
}

/** The time by the server's clock. */
export interface ClockState {
  /** ISO 8601. */
  readonly time: string;
  /** Milliseconds by which it is ahead of the machine's clock; negative when it is behind. */
  readonly offset: number;
}

/** The server's clock. It runs on from where it is set. */
export interface ControlledClock {
  get(): ClockState;
  /** A Date, ISO 8601, or milliseconds since the epoch. @throws ServiceError `rejected` for what is no time before the year 10000. */
  set(time: Date | string | number): ClockState;
  /** By milliseconds, or by a duration such as `10m`; backwards when negative. @throws ServiceError `rejected` as `set` does. */
  advance(by: number | string): ClockState;
}

/** The rules by which requests go wrong, as `faults` takes them. */
export interface ControlledFaults {
  get(): FaultState[];
  /** Puts these in place of those that are there. @throws UsageError for a rule that cannot be read; then none is changed. */
  set(rules: readonly string[]): FaultState[];
  clear(): void;
}

/** How many requests each API key may make. */
export interface ControlledRateLimit {
  /** `undefined` where there is no limit. */
  get(): RateLimit | undefined;
  /** `window` in milliseconds, or a duration such as `1m`. @throws HttpError 400 for what is no limit. */
  set(limit: { readonly requests: number; readonly window: number | string }): RateLimit;
  clear(): void;
}

export interface ControlledQuotas {
  /** Those of an organization, default the first one. @throws HttpError 404 when there is no such organization. */
  get(organization?: string): Promise<QuotaRecord>;
  /**
   * Sets limits of an organization, default the first one. One below what is used removes nothing.
   * @throws ServiceError `not_found` when there is no such organization.
   */
  set(limits: Partial<Record<QuotaKind, number>>, organization?: string): Promise<QuotaRecord>;
}

/** What a key is issued with; what is left out is generated, and the organization is the first one. */
export interface KeyToIssue {
  readonly organization?: string | undefined;
  readonly id?: string | undefined;
  readonly secret?: string | undefined;
  readonly name?: string | undefined;
}

/** A key that was issued, with its secret. */
export interface IssuedKey extends ApiKey {
  readonly organization: string;
  readonly secret: string;
}

/** A key, with the organization that it belongs to. */
export interface ListedKey extends ApiKey {
  readonly organization: string;
}

/** What the reference says the management console does (section 2 and 3). */
export interface ControlledKeys {
  /** Every key, or those of one organization, oldest first. */
  list(organization?: string): Promise<ListedKey[]>;
  /** @throws ServiceError `not_found` for an unknown organization, `rejected` for an ID that is taken, `quota_exceeded` without room for it. */
  issue(key?: KeyToIssue): Promise<IssuedKey>;
  /** @throws ServiceError `not_found` when there is no such key. */
  disable(keyId: string): Promise<ApiKey>;
  /** @throws ServiceError `not_found` when there is no such key. */
  enable(keyId: string): Promise<ApiKey>;
  /** Deletes it. @throws ServiceError `not_found` when there is no such key. */
  revoke(keyId: string): Promise<void>;
}

/** The last 1,000 requests to the service. */
export interface ControlledJournal {
  /** Oldest first. */
  get(query?: JournalQuery): JournalEntry[];
  /** One by its ID; of one whose credential was refused, with the request that is accepted. @throws HttpError 404 when it is not kept. */
  find(id: number): Promise<JournalDetail>;
  /** How many of those that are kept are asked for, such as `{ method: 'POST' }`. */
  count(filter?: JournalFilter): number;
  /** Those that are asked for and each further one, until the signal is aborted; see `JournalBatch`. */
  follow(options: FollowOptions): AsyncIterable<JournalBatch>;
  clear(): void;
}
