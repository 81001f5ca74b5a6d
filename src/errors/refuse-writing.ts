import { ConfigError, type ErrorDetails, readSystemCode, UsageError } from './errors.js';

/** Failures of the machine, whatever path was given. */
const machineCodes: ReadonlySet<string | undefined> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
]);

/** The error for a user's file that cannot be written. `cause` decides whether the user or the machine is at fault. */
export function refuseWriting(message: string, details: ErrorDetails): UsageError | ConfigError {
  const isOfMachine = machineCodes.has(readSystemCode(details.cause));
  return isOfMachine ? new ConfigError(message, details) : new UsageError(message, details);
}
