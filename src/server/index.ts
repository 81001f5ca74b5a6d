/** `orgctl/server`: the service, embedded, for test suites. */

export type { DialectInput, PresetName } from '../api/dialect/dialect-input.js';
export type { FaultRuleText } from '../api/faults/fault-rule.js';
export type { FaultState } from '../api/faults/faults.js';
export type { QuotaKind } from '../api/resources/index.js';
export type { ApiKey, Quota, QuotaRecord } from '../api/resources/records.js';
export * from '../errors/library-errors.js';
export type { SignedDifference } from '../signing/mistakes/explain-mismatch.js';
export type { Check, Explanation, Refusal, Remedy } from '../signing/refusals/refusal.js';
export type { ListedOrganization } from '../storage/organizations.js';
export type { RateLimit } from '../storage/rate-windows.js';
export type { Duration } from '../text/duration.js';
export type { ClockState } from './control/clock.js';
export type { Control, CreatedOrganization, ListedKey } from './control/control.js';
export type { Limits } from './http/connections.js';
export type { JournalEntry, JournalResponse } from './journal/entry.js';
export type { JournalFilter, JournalQuery } from './journal/journal.js';
export type { Log, LogEntry, LoggedRequests } from './journal/log.js';
export type { RunningServer, SaveProfile, Seed, SeededKey, ServerOptions } from './options.js';
export { startServer } from './start-server.js';
export type { Stub, StubState } from './stubs.js';
