import { type Advice, readSystemCode } from './errors.js';

const noRoomCodes = new Set(['ENOSPC', 'EDQUOT']);

/** The hint after a failed write: to free space if the disk is full, otherwise `otherwise`. */
export function adviseWriting(error: unknown, otherwise?: string): Pick<Advice, 'hint'> {
  const isFull = noRoomCodes.has(readSystemCode(error) ?? '');
  return { hint: isFull ? 'free some space on the disk, and run the command again' : otherwise };
}
