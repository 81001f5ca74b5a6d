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

/** The error for a file named by the user that cannot be written; `cause` tells whose fault it is. */
export function refuseWriting(message: string, details: ErrorDetails): UsageError | ConfigError {
  const isOfMachine = machineCodes.has(readSystemCode(details.cause));
  return isOfMachine ? new ConfigError(message, details) : new UsageError(message, details);
}
