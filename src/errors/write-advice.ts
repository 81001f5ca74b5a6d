import { type Advice, readSystemCode } from './errors.js';

const noRoomCodes = new Set(['ENOSPC', 'EDQUOT']);

/** The hint after a failed write: a full disk has its own. */
export function adviseWriting(error: unknown, otherwise?: string): Pick<Advice, 'hint'> {
  const isFull = noRoomCodes.has(readSystemCode(error) ?? '');
  return { hint: isFull ? 'free some space on its disk, and run the command again' : otherwise };
}
