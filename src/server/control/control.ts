import type { sentMethods } from '../../api/control/calls.js';
import type { FaultRuleText } from '../../api/faults/fault-rule.js';
import type { FaultState } from '../../api/faults/faults.js';
import type { QuotaKind } from '../../api/resources/index.js';
import type { ApiKey, QuotaRecord } from '../../api/resources/records.js';
import type { Refusal } from '../../signing/refusals/refusal.js';
import type { ListedOrganization } from '../../storage/organizations.js';
import type { RateLimit } from '../../storage/rate-windows.js';
import type { Duration } from '../../text/duration.js';
import type {
  FollowOptions,
  JournalBatch,
  JournalCounts,
  JournalFilter,
  JournalQuery,
} from '../journal/journal.js';
import type { JournalEntry, JournalResponse } from '../journal/kept-exchange.js';
import type { Stub, StubState } from '../stubs.js';

/**
 * Controls a running server, for tests. The control API under `/_control` offers the same over HTTP
 * (docs/reference/control-api.md). Calls reject with a UsageError for arguments of the wrong type. Once the server is
 * closed, calls that need the data do so, too.
 */
export interface Control {
  /** Restores the initial data, clock, faults, stubs and rate limit, and empties the journal. Snapshots stay. */
  reset(): Promise<void>;
  /** Takes a snapshot; returns its name. Keeps the last 100, up to 256 MiB. @throws ServiceError `rejected` if larger */
  snapshot(): Promise<string>;
  /** Restores all data. @throws ServiceError `not_found` for an unknown or dropped snapshot */
  restore(snapshot: string): Promise<void>;
  /** Stored snapshots, oldest first. */
  snapshots(): Promise<TakenSnapshot[]>;
  /** The server's facts and settings. */
  status(): Promise<ControlledStatus>;
  /** Every organization with its quotas, oldest first. */
  organizations(): Promise<ListedOrganization[]>;
  /** A link to the console for one browser, valid for a minute. @throws ServiceError `not_found` without a console */
  consoleLink(): Promise<string>;
  /** The console's address and a code to type there, for one browser, within a minute. @throws as `consoleLink` */
  consoleInvitation(): Promise<ConsoleInvitation>;
  readonly clock: ControlledClock;
  readonly faults: ControlledFaults;
  readonly stubs: ControlledStubs;
  readonly rateLimit: ControlledRateLimit;
  readonly quotas: ControlledQuotas;
  readonly keys: ControlledKeys;
  readonly journal: ControlledJournal;
  readonly signatures: ControlledSignatures;
  readonly requests: ControlledRequests;
}

/** Admits a browser by a code: a secret in the address could be seen by others. */
export interface ConsoleInvitation {
  readonly console: string;
  /** Such as `4F7K-9MZQ`. */
  readonly code: string;
}

/** Sends requests to the service, signed on the server. */
export interface ControlledRequests {
  /** Sends a request over the network, as clients do. @throws ServiceError `not_found`, `rejected`, `server` */
  send(request: RequestToSend): Promise<JournalDetail>;
}

/** A request to sign and send; fields as in the control API's `POST /requests`. */
export interface RequestToSend {
  /** The ID of a journal entry that provides the defaults. */
  readonly replay?: number | undefined;
  /** Whether to apply the remedy for the replayed request's refusal first. */
  readonly fix?: boolean | undefined;
  /** The organization of the signing key; default: the replayed request's, or else the first. */
  readonly organization?: string | undefined;
  /** Default: the replayed request's key, or the organization's first enabled one. */
  readonly keyId?: string | undefined;
  readonly method?: (typeof sentMethods)[number] | undefined;
  /** Path and query. */
  readonly target?: string | undefined;
  /** Default: `application/json` if there is a body. */
  readonly contentType?: string | undefined;
  readonly body?: string | undefined;
}

/** Explains a refused signature, before or after sending the request. */
export interface ControlledSignatures {
  /** Checks a signature as the service would. @throws ServiceError `not_found` for an unknown key */
  check(signed: SignedRequest): Promise<SignatureVerdict>;
}

/** A request as a client would send it. */
export interface SignedRequest {
  readonly keyId: string;
  readonly method: string;
  readonly target: string;
  /** Value of the header `X-API-Timestamp`. */
  readonly timestamp: string;
  readonly contentType?: string | undefined;
  readonly signature: string;
  readonly body?: string | Buffer | undefined;
}

/** The result of checking a signature. */
export interface SignatureVerdict {
  /** Whether the signature matches, however old it is. */
  readonly matches: boolean;
  /** Current reasons to refuse the request, in the order of the service's checks; empty if there are none. */
  readonly refusals: readonly Refusal[];
  /** The string to sign, on one line, with visible line endings and masked secrets; cut after 4,096 characters. */
  readonly canonical: string;
  /** A curl command that works once its placeholders in capitals are replaced. */
  readonly curl: string;
}

/** A journal entry with its response and, for a refused credential, a curl command. */
export interface JournalDetail extends JournalEntry {
  /** Absent if the connection was dropped before a response. */
  readonly response?: JournalResponse | undefined;
  /** As in `SignatureVerdict`; absent unless the credential was refused. */
  readonly curl?: string;
}

/** A snapshot; `time` is ISO 8601 by the server's clock. */
export interface TakenSnapshot {
  readonly snapshot: string;
  readonly time: string;
}

/** A server's facts and settings. */
export interface ControlledStatus {
  readonly url: string;
  readonly pid: number;
  readonly startedAt: string;
  /** The first organization; `keyId` is its first key. */
  readonly organization: string;
  readonly keyId: string;
  /** The data directory; absent if the server has none. */
  readonly data?: string;
  readonly database?: string;
  /** The console's address, without a token; absent without a console. */
  readonly console?: string | undefined;
  /** PEM file of the issuing authority; absent with plain HTTP or a custom certificate. */
  readonly caFile?: string | undefined;
  readonly clock: ClockState;
  readonly faults: readonly FaultState[];
  /** Without headers and bodies; `stubs.get` has them. */
  readonly stubs: readonly Pick<StubState, 'request' | 'status' | 'hits'>[];
  /** A preset's name, or `custom`; absent for the default. */
  readonly dialect?: string | undefined;
  readonly rateLimit: RateLimit | null;
  readonly savesProfiles: boolean;
  /** The first key's profile, if any. */
  readonly profile?: string | undefined;
  /** Counted since the start; clearing the journal or resetting the server changes only `kept`. */
  readonly requests: JournalCounts;
}

/** The server's time. */
export interface ClockState {
  readonly time: string;
  /** Milliseconds ahead of the machine's clock; negative when behind. */
  readonly offset: number;
}

/** The server's clock, which keeps running from the time it is set to. */
export interface ControlledClock {
  /** The server's current time. */
  get(): Promise<ClockState>;
  /** Accepts a Date, ISO 8601 or epoch milliseconds. @throws ServiceError `rejected` if invalid or not in 1970-9999 */
  set(time: Date | string | number): Promise<ClockState>;
  /** Accepts milliseconds or a duration such as `10m`; may be negative. @throws ServiceError `rejected`, as `set` */
  advance(by: number | Duration): Promise<ClockState>;
}

/** Fault rules, in the form of the option `faults`. */
export interface ControlledFaults {
  /** In the order in which they are tried. */
  get(): Promise<FaultState[]>;
  /** Replaces all rules, or none if one is invalid. @throws UsageError for an invalid rule */
  set(rules: readonly FaultRuleText[]): Promise<FaultState[]>;
  /** Removes all rules. */
  clear(): Promise<void>;
}

/** Canned responses, each for one method and path. */
export interface ControlledStubs {
  /** In matching order: stubs for a path and query precede those for a path only. */
  get(): Promise<StubState[]>;
  /** Replaces all stubs, or none if one is invalid. @throws UsageError for an invalid stub */
  set(stubs: readonly (string | Stub)[]): Promise<StubState[]>;
  /** Removes all stubs. */
  clear(): Promise<void>;
}

/** Limits how many requests each API key may make. */
export interface ControlledRateLimit {
  /** `undefined` for no limit. */
  get(): Promise<RateLimit | undefined>;
  /** `window` in milliseconds, or a duration such as `1m`. @throws UsageError; ServiceError `rejected` for the window */
  set(limit: { readonly requests: number; readonly window: number | Duration }): Promise<RateLimit>;
  /** Removes the limit. */
  clear(): Promise<void>;
}

/** Quota limits of one organization; default: the first. */
export interface ControlledQuotas {
  /** Reads one organization's quotas. @throws ServiceError `not_found` for an unknown organization */
  get(organization?: string): Promise<QuotaRecord>;
  /** Sets limits; removes nothing, even if more is in use. @throws ServiceError `not_found`, `rejected` */
  set(limits: Partial<Record<QuotaKind, number>>, organization?: string): Promise<QuotaRecord>;
}

/** A key to issue. Defaults: the first organization, the name `control`, and a generated ID and secret. */
export interface KeyToIssue {
  readonly organization?: string | undefined;
  readonly id?: string | undefined;
  readonly secret?: string | undefined;
  readonly name?: string | undefined;
}

/** An issued key, with its secret. */
export interface IssuedKey extends ApiKey {
  readonly organization: string;
  readonly secret: string;
}

/** A key with its organization. */
export interface ListedKey extends ApiKey {
  readonly organization: string;
}

/** Manages API keys. */
export interface ControlledKeys {
  /** Every key, or those of one organization, oldest first. @throws ServiceError `not_found` (organization) */
  list(organization?: string): Promise<ListedKey[]>;
  /** Issues a key. @throws ServiceError `not_found` (organization), `rejected` (taken or invalid), `quota_exceeded` */
  issue(key?: KeyToIssue): Promise<IssuedKey>;
  /** @throws ServiceError `not_found` for an unknown key */
  disable(keyId: string): Promise<ListedKey>;
  /** @throws ServiceError `not_found` for an unknown key */
  enable(keyId: string): Promise<ListedKey>;
  /** @throws ServiceError `not_found` for an unknown key, `rejected` for an empty or too long name */
  rename(keyId: string, name: string): Promise<ListedKey>;
  /** Deletes the key. @throws ServiceError `not_found` for an unknown key */
  revoke(keyId: string): Promise<void>;
}

/** The last 1,000 requests to the service. */
export interface ControlledJournal {
  /** Matching entries, oldest first. */
  get(query?: JournalQuery): Promise<JournalEntry[]>;
  /** One entry; if its credential was refused, with a curl command that would work. @throws ServiceError `not_found` */
  find(id: number): Promise<JournalDetail>;
  /** How many stored entries match a filter such as `{ method: 'POST' }`. */
  count(filter?: JournalFilter): Promise<number>;
  /** Matching entries, first existing, then new ones, until the signal is aborted. */
  follow(options: FollowOptions): AsyncIterable<JournalBatch>;
  /** Removes all entries; IDs and the totals in `status` continue. */
  clear(): Promise<void>;
}
