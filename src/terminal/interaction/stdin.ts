import { addAbortSignal } from 'node:stream';
import { readMessage, UsageError } from '../../errors/errors.js';
import type { System } from '../process/system.js';

/**
 * All of standard input.
 * @param flag named in the hint for a terminal
 * @throws UsageError if it is a terminal, too long or unreadable; the abort reason
 */
export async function readStdin(
  { stdin }: System,
  flag: string,
  signal: AbortSignal,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  const hint = `${flag} reads from a pipe: … | orgctl …`;
  if (stdin.isTTY === true) throw new UsageError('standard input is a terminal', { hint });
  addAbortSignal(signal, stdin);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stdin) {
      const piece = Buffer.from(chunk);
      bytes += piece.length;
      if (bytes > maxBytes) throw new UsageError(`standard input is larger than ${maxBytes} bytes`);
      chunks.push(piece);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot read standard input: ${readMessage(error)}`, { cause: error });
  }
  return Buffer.concat(chunks);
}
