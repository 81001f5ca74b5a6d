import type { FaultRuleText } from '../../api/faults/fault-rule.js';
import type { FaultState } from '../../api/faults/faults.js';
import type { QuotaKind } from '../../api/resources/index.js';
import type { ApiKey, QuotaRecord } from '../../api/resources/records.js';
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
 * Controls a running server, for tests. The control API under `/_control` offers this and more over
 * HTTP (docs/reference/control-api.md). Calls reject with a UsageError for arguments that do not fit, and with a ServiceError
 * such as `not_found`, `rejected` or `quota_exceeded` for what the server refuses. Once the server is closed, only the
 * journal can be used.
 */
export interface Control {
  /** Restores the initial data, clock, faults, stubs and rate limit, and empties the journal. Snapshots stay. */
  reset(): Promise<void>;
  /** Takes a snapshot; returns its name. Keeps the last 20. */
  snapshot(): Promise<string>;
  /** Restores all data. */
  restore(snapshot: string): Promise<void>;
  /** Stored snapshots, oldest first. */
  snapshots(): Promise<readonly TakenSnapshot[]>;
  /** The server's facts and settings. */
  status(): Promise<ControlledStatus>;
  /** A link to the console for one browser, valid for a minute. */
  consoleLink(): Promise<string>;
  readonly organizations: {
    /** Every organization with its quotas, oldest first. */
    list(): Promise<ListedOrganization[]>;
    /** Creates an organization with a key, so that parallel tests can share a server. */
    create(wanted?: OrganizationToCreate): Promise<CreatedOrganization>;
  };
  /** The server's clock, which keeps running from the time it is set to. */
  readonly clock: {
    get(): Promise<ClockState>;
    /** Accepts a Date, ISO 8601 or epoch milliseconds, in the years 1970 to 9999. */
    set(time: Date | string | number): Promise<ClockState>;
    /** Accepts milliseconds or a duration such as `10m`; may be negative. */
    advance(by: number | Duration): Promise<ClockState>;
  };
  /** Fault rules, in the form of the option `faults`. */
  readonly faults: {
    /** In the order in which they are tried. */
    get(): Promise<FaultState[]>;
    /** Replaces all rules, or none if one is invalid. */
    set(rules: readonly FaultRuleText[]): Promise<FaultState[]>;
    clear(): Promise<void>;
  };
  /** Canned responses, each for one method and path. */
  readonly stubs: {
    /** In matching order: stubs for a path and query precede those for a path only. */
    get(): Promise<StubState[]>;
    /** Replaces all stubs, or none if one is invalid. */
    set(stubs: readonly (string | Stub)[]): Promise<StubState[]>;
    clear(): Promise<void>;
  };
  /** Limits how many requests each API key may make. */
  readonly rateLimit: {
    /** `undefined` for no limit. */
    get(): Promise<RateLimit | undefined>;
    /** `window` in milliseconds, or a duration such as `1m`. */
    set(limit: { readonly requests: number; readonly window: number | Duration }): Promise<RateLimit>;
    clear(): Promise<void>;
  };
  /** Quota limits of one organization; default: the first. */
  readonly quotas: {
    get(organization?: string): Promise<QuotaRecord>;
    /** Sets limits; removes nothing, even if more is in use. */
    set(limits: Partial<Record<QuotaKind, number>>, organization?: string): Promise<QuotaRecord>;
  };
  readonly keys: {
    /** Every key, or those of one organization, oldest first. */
    list(organization?: string): Promise<ListedKey[]>;
    issue(key?: KeyToIssue): Promise<IssuedKey>;
    disable(keyId: string): Promise<ListedKey>;
    enable(keyId: string): Promise<ListedKey>;
    rename(keyId: string, name: string): Promise<ListedKey>;
    /** Deletes the key. */
    revoke(keyId: string): Promise<void>;
  };
  /** The last 1,000 requests to the service. */
  readonly journal: {
    /** Matching entries, oldest first. */
    get(query?: JournalQuery): Promise<JournalEntry[]>;
    /** One entry; if its credential was refused, with a curl command that would work. */
    find(id: number): Promise<JournalDetail>;
    /** How many stored entries match a filter such as `{ method: 'POST' }`. */
    count(filter?: JournalFilter): Promise<number>;
    /** Matching entries, first existing, then new ones, until the signal is aborted. */
    follow(options: FollowOptions): AsyncIterable<JournalBatch>;
    /** Removes all entries; IDs and the totals in `status` continue. */
    clear(): Promise<void>;
  };
}

/** Defaults: the name `default`, and the limits of the API reference. */
export interface OrganizationToCreate {
  readonly name?: string | undefined;
  readonly quotas?: Partial<Record<QuotaKind, number>> | undefined;
}

/** An organization with its key. */
export interface CreatedOrganization {
  readonly id: string;
  readonly name: string;
  readonly keyId: string;
  readonly secret: string;
}

/** A journal entry with its response and, for a refused credential, a curl command. */
export interface JournalDetail extends JournalEntry {
  /** Absent if the connection was dropped before a response. */
  readonly response?: JournalResponse | undefined;
  /** Works once its placeholders in capitals are replaced; absent unless the credential was refused. */
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
  /** For a proxy: the URL of the service behind it. */
  readonly upstream?: string | undefined;
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
