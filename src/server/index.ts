/** `orgctl/server`: the whole service, embedded, for anyone's test suite (contract, section 6). */

export * from '../contract/library-errors.js';
export type { ApiKey, Quota, QuotaKind, QuotaRecord } from '../contract/records.js';
export type { SignedDifference } from '../signing/signed-instead.js';
export type { ListedOrganization } from '../storage/organizations.js';
export type { RateLimit } from '../storage/rate-windows.js';
export type {
  ClockState,
  ConsoleInvitation,
  Control,
  ControlledClock,
  ControlledFaults,
  ControlledJournal,
  ControlledKeys,
  ControlledQuotas,
  ControlledRateLimit,
  ControlledSignatures,
  ControlledStatus,
  IssuedKey,
  JournalDetail,
  KeyToIssue,
  ListedKey,
  SignatureVerdict,
  SignedRequest,
  TakenSnapshot,
} from './control/control.js';
export type { BootstrapKey, FirstOrganizationOptions } from './data/first-organization.js';
export type { Check, Explanation, Refusal } from './explain/refusal.js';
export type { FaultState } from './faults/faults.js';
export type { FollowOptions, JournalBatch, JournalCounts, JournalQuery } from './journal/journal.js';
export type { JournalFilter } from './journal/journal-filter.js';
export type { JournalEntry } from './journal/kept-exchange.js';
export type {
  Log,
  LogEntry,
  LoggedRequests,
  NoticeEntry,
  RequestEntry,
  RequestRecord,
} from './journal/log.js';
export type { Limits } from './listening/limits.js';
export type { RunningServer } from './running-server.js';
export type { SeededKey } from './seed/plan.js';
export type { Seed, SeedConnection, SeedKey, SeedOrganization, SeedTeam } from './seed/seed.js';
export type { ProfileToSave, SaveProfile, ServerOptions } from './server-options.js';
export { startServer } from './start-server.js';
