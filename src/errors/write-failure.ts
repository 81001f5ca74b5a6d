import type { Advice } from './advice.js';
import { ConfigError, type ErrorDetails, readSystemCode, UsageError } from './errors.js';

const noRoomCodes = ['ENOSPC', 'EDQUOT'];
/** Failures of the machine, whatever path was given. */
const machineCodes = new Set([...noRoomCodes, 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** The error for a user's file that cannot be written. `cause` decides whether the user or the machine is at fault. */
export function refuseWriting(message: string, details: ErrorDetails): UsageError | ConfigError {
  const isOfMachine = machineCodes.has(readSystemCode(details.cause) ?? '');
  return isOfMachine ? new ConfigError(message, details) : new UsageError(message, details);
}

/** The hint after a failed write: to free space if the disk is full, otherwise `otherwise`. */
export function adviseWriting(error: unknown, otherwise?: string): Pick<Advice, 'hint'> {
  const isFull = noRoomCodes.includes(readSystemCode(error) ?? '');
  return { hint: isFull ? 'free some space on the disk, and run the command again' : otherwise };
}
