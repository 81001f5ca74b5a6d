import type { FaultRuleText } from '../../api/faults/fault-rule.js';
import type { FaultState } from '../../api/faults/faults.js';
import type { QuotaKind } from '../../api/resources/index.js';
import type { ApiKey, QuotaRecord } from '../../api/resources/records.js';
import type { ListedOrganization } from '../../storage/organizations.js';
import type { Duration } from '../../text/duration.js';
import type { JournalEntry } from '../journal/entry.js';
import type { JournalFilter, JournalQuery } from '../journal/journal.js';
import type { Stub, StubState } from '../stubs.js';
import type { ClockState } from './clock.js';

/**
 * Controls a running server, for tests; once it is closed, only the journal can be used. Calls reject with a UsageError
 * for wrong arguments, and with a ServiceError for what the server refuses.
 */
export interface Control {
  /** Restores the initial data, clock, faults, stubs and rate limit, and empties the journal. Snapshots stay. */
  reset(): Promise<void>;
  /** Takes a snapshot of all data; returns its name. Keeps the last 20. */
  snapshot(): Promise<string>;
  restore(snapshot: string): Promise<void>;
  /** A link to the console for one browser, valid for a minute. */
  consoleLink(): Promise<string>;
  readonly organizations: {
    /** Every organization with its quotas, oldest first. */
    list(): Promise<ListedOrganization[]>;
    /** Creates an organization with a key, so that parallel tests can share a server. */
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
    get(): Promise<readonly FaultState[]>;
    /** Replaces all rules, or none if one is invalid. */
    set(rules: readonly FaultRuleText[]): Promise<FaultState[]>;
  };
  readonly stubs: {
    get(): Promise<StubState[]>;
    /** Replaces all stubs, or none if one is invalid. */
    set(stubs: readonly (string | Stub)[]): Promise<StubState[]>;
  };
  /** Quota limits of one organization; default: the first. */
  readonly quotas: {
    get(organization?: string): Promise<QuotaRecord>;
    /** Deletes nothing, even if more is in use than allowed. */
    set(limits: Partial<Record<QuotaKind, number>>, organization?: string): Promise<QuotaRecord>;
  };
  readonly keys: {
    /** Every key, or those of one organization, oldest first. */
    list(organization?: string): Promise<ListedKey[]>;
    /** Defaults: the first organization, and a generated ID and secret. */
    issue(key?: {
      readonly organization?: string | undefined;
      readonly id?: string | undefined;
      readonly secret?: string | undefined;
      readonly name?: string | undefined;
    }): Promise<ListedKey & { readonly secret: string }>;
    disable(keyId: string): Promise<ListedKey>;
    enable(keyId: string): Promise<ListedKey>;
    revoke(keyId: string): Promise<void>;
  };
  /** The last 1,000 requests to the service. */
  readonly journal: {
    /** Matching entries, oldest first. */
    get(query?: JournalQuery): Promise<JournalEntry[]>;
    /** How many entries match a filter such as `{ method: 'POST' }`. */
    count(filter?: JournalFilter): Promise<number>;
    clear(): Promise<void>;
  };
}

export interface CreatedOrganization {
  readonly id: string;
  readonly name: string;
  readonly keyId: string;
  readonly secret: string;
}

export interface ListedKey extends ApiKey {
  readonly organization: string;
}
