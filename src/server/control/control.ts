import type { FaultRuleText } from '../../api/faults/fault-rule.js';
import type { FaultState } from '../../api/faults/faults.js';
import type { QuotaKind } from '../../api/resources/index.js';
import type { ApiKey, QuotaRecord } from '../../api/resources/records.js';
import type { ListedOrganization } from '../../storage/organizations.js';
import type { Duration } from '../../text/duration.js';
import type { JournalFilter, JournalQuery } from '../journal/journal.js';
import type { JournalEntry } from '../journal/kept-exchange.js';
import type { Stub, StubState } from '../stubs.js';
import type { ClockState } from './clock.js';

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
  /** A link to the console for one browser, valid for a minute. */
  consoleLink(): Promise<string>;
  readonly organizations: {
    /** Every organization with its quotas, oldest first. */
    list(): Promise<ListedOrganization[]>;
    /**
     * Creates an organization with a key, so that parallel tests can share a server. Defaults: the name `default`, and
     * the limits of the API reference.
     */
    create(wanted?: {
      readonly name?: string | undefined;
      readonly quotas?: Partial<Record<QuotaKind, number>> | undefined;
    }): Promise<CreatedOrganization>;
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
    get(): Promise<readonly FaultState[]>;
    /** Replaces all rules, or none if one is invalid. */
    set(rules: readonly FaultRuleText[]): Promise<FaultState[]>;
  };
  /** Canned responses, each for one method and path. */
  readonly stubs: {
    get(): Promise<StubState[]>;
    /** Replaces all stubs, or none if one is invalid. */
    set(stubs: readonly (string | Stub)[]): Promise<StubState[]>;
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
    /** Defaults: the first organization, the name `control`, and a generated ID and secret. */
    issue(key?: {
      readonly organization?: string | undefined;
      readonly id?: string | undefined;
      readonly secret?: string | undefined;
      readonly name?: string | undefined;
    }): Promise<ListedKey & { readonly secret: string }>;
    disable(keyId: string): Promise<ListedKey>;
    enable(keyId: string): Promise<ListedKey>;
    /** Deletes the key. */
    revoke(keyId: string): Promise<void>;
  };
  /** The last 1,000 requests to the service. */
  readonly journal: {
    /** Matching entries, oldest first. */
    get(query?: JournalQuery): Promise<JournalEntry[]>;
    /** How many stored entries match a filter such as `{ method: 'POST' }`. */
    count(filter?: JournalFilter): Promise<number>;
    clear(): Promise<void>;
  };
}

/** An organization with its key. */
export interface CreatedOrganization {
  readonly id: string;
  readonly name: string;
  readonly keyId: string;
  readonly secret: string;
}

/** A key with its organization. */
export interface ListedKey extends ApiKey {
  readonly organization: string;
}
