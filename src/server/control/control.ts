import type { QuotaKind } from '../../api/resources/index.js';
import type { ApiKey, QuotaRecord } from '../../api/resources/records.js';
import type { ListedOrganization } from '../../storage/organizations.js';
import type { RateLimit } from '../../storage/rate-windows.js';
import type { FaultState } from '../faults/faults.js';
import type { Refusal } from '../http/refusal.js';
import type { FollowOptions, JournalBatch, JournalCounts, JournalQuery } from '../journal/journal.js';
import type { JournalFilter } from '../journal/journal-filter.js';
import type { JournalEntry } from '../journal/kept-exchange.js';
import type { Stub } from '../stubs/stub.js';
import type { StubState } from '../stubs/stubs.js';

/**
 * Controls a running server, for tests [ours]. The control API under `/_control` offers the same over HTTP
 * (docs/reference/control-api.md).
 */
export interface Control {
  /**
   * Resets the server to its state at the start: the first organization with only its first key, or the seed; the
   * initial clock, faults, stubs and rate-limit counts; an empty journal. Snapshots stay.
   */
  reset(): Promise<void>;
  /**
   * Takes a snapshot of all data, and returns its name for `restore`. The last 100 are kept, in memory, up to 256 MiB in all.
   * @throws ServiceError `rejected` when the data is larger than that
   */
  snapshot(): Promise<string>;
  /** Restores all data from a snapshot. @throws ServiceError `not_found` when there is no such snapshot, or no longer */
  restore(snapshot: string): Promise<void>;
  /** Those that `restore` finds, oldest first. */
  snapshots(): TakenSnapshot[];
  /** What is running here, and what it is set to. */
  status(): ControlledStatus;
  /** Every organization with its quotas, oldest first. */
  organizations(): Promise<ListedOrganization[]>;
  /**
   * A link to the management console that admits one browser, within a minute. @throws ServiceError
   * `not_found` where there is none.
   */
  consoleLink(): string;
  /** The console's address without a secret in it, and a code to type there, for one browser within a minute. @throws as `consoleLink` */
  consoleInvitation(): ConsoleInvitation;
  readonly clock: ControlledClock;
  readonly faults: ControlledFaults;
  readonly stubs: ControlledStubs;
  readonly rateLimit: ControlledRateLimit;
  readonly quotas: ControlledQuotas;
  readonly keys: ControlledKeys;
  readonly journal: ControlledJournal;
  readonly signatures: ControlledSignatures;
}

/** How a browser is let in that was opened by an address which others may see. */
export interface ConsoleInvitation {
  /** The address of the console. */
  readonly console: string;
  /** What the page asks for, such as `4F7K-9MZQ`. */
  readonly code: string;
}

/** Explains a refused signature, before the request is sent or long after. */
export interface ControlledSignatures {
  /** Checks it as the service would. @throws ServiceError `not_found` when there is no such key. */
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

/** What there is to say of a signature. */
export interface SignatureVerdict {
  /** Whether the signature is that of the request, however old it is. */
  readonly matches: boolean;
  /** What the service would refuse it for now, in its order; empty if accepted. */
  readonly refusals: readonly Refusal[];
  /** What should be signed, on one line with its line ends visible; secrets are masked. */
  readonly canonical: string;
  /** A curl command that is accepted, once the placeholders in capitals are replaced. */
  readonly curl: string;
}

/** An entry of the journal, with its explanation. */
export interface JournalDetail extends JournalEntry {
  /** As in `SignatureVerdict`; absent if the credential was not the problem. */
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
  /** Without headers and bodies, which `stubs.get` has. */
  readonly stubs: readonly Pick<StubState, 'request' | 'status' | 'hits'>[];
  /** The form of answers, if not the server's own: a preset's name, or `custom`. */
  readonly dialect?: string | undefined;
  /** `null` where there is none. */
  readonly rateLimit: RateLimit | null;
  /** Whether the server can save keys as profiles. */
  readonly savesProfiles: boolean;
  /** The profile that has the first key; absent where none is kept. */
  readonly profile?: string | undefined;
  /** Since the start; not affected by clearing or resetting. */
  readonly requests: JournalCounts;
}

/** The time by the server's clock. */
export interface ClockState {
  /** ISO 8601. */
  readonly time: string;
  /** Milliseconds by which it is ahead of the machine's clock; negative when it is behind. */
  readonly offset: number;
}

/** The server's clock. It keeps running from where it is set. */
export interface ControlledClock {
  /** The current time of the server. */
  get(): ClockState;
  /** A Date, ISO 8601, or milliseconds since the epoch. @throws ServiceError `rejected` for what is no time before the year 10000. */
  set(time: Date | string | number): ClockState;
  /** By milliseconds, or a duration such as `10m`; backwards if negative. @throws ServiceError `rejected` as `set` does. */
  advance(by: number | string): ClockState;
}

/** The fault rules, in the form of the option `faults`. */
export interface ControlledFaults {
  /** The rules, in the order in which they are tried. */
  get(): FaultState[];
  /** Replaces all rules. @throws UsageError for an invalid rule; then nothing is changed */
  set(rules: readonly string[]): FaultState[];
  /** Removes all rules. */
  clear(): void;
}

/** The answers by hand, each in the place of a route's. */
export interface ControlledStubs {
  /** In the order in which they are tried: one for a query goes before one for its path. */
  get(): StubState[];
  /** Replaces all stubs. @throws UsageError for one that cannot be used; then nothing is changed */
  set(stubs: readonly (string | Stub)[]): StubState[];
  /** Removes all stubs. */
  clear(): void;
}

/** How many requests each API key may make. */
export interface ControlledRateLimit {
  /** `undefined` where there is no limit. */
  get(): RateLimit | undefined;
  /** `window` in milliseconds, or a duration such as `1m`. @throws ServiceError `rejected` for what is no limit. */
  set(limit: { readonly requests: number; readonly window: number | string }): RateLimit;
  /** Removes the limit. */
  clear(): void;
}

/** The limits of each organization's quotas. */
export interface ControlledQuotas {
  /** Those of an organization, default the first one. @throws ServiceError `not_found` when there is no such organization. */
  get(organization?: string): Promise<QuotaRecord>;
  /**
   * Sets limits of an organization, default the first one. A limit below current use removes nothing.
   * @throws ServiceError `not_found` when there is no such organization.
   */
  set(limits: Partial<Record<QuotaKind, number>>, organization?: string): Promise<QuotaRecord>;
}

/** The properties of a key to issue; what is left out is generated, and the default organization is the first one. */
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
  /**
   * One entry by its ID; if its credential was refused, with a request that would be accepted. @throws ServiceError
   * `not_found` when it is no longer kept
   */
  find(id: number): Promise<JournalDetail>;
  /** How many of the kept entries match, for example `{ method: 'POST' }`. */
  count(filter?: JournalFilter): number;
  /** The matching entries and each further one, until the signal is aborted; see `JournalBatch`. */
  follow(options: FollowOptions): AsyncIterable<JournalBatch>;
  /** Removes all entries; IDs and the counts in `status` continue. */
  clear(): void;
}
