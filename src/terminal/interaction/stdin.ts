import { addAbortSignal } from 'node:stream';
import { readMessage, UsageError } from '../../errors/errors.js';
import type { System } from '../process/system.js';

interface StdinOptions {
  /** Refuses a terminal with this hint. */
  readonly terminalHint: string;
  readonly signal?: AbortSignal | undefined;
  readonly maxBytes?: number | undefined;
}

/** All of standard input. @throws UsageError if it is a terminal, too long or unreadable; the abort reason */
export async function readStdin({ stdin }: System, options: StdinOptions): Promise<Buffer> {
  const { terminalHint, signal, maxBytes = Number.POSITIVE_INFINITY } = options;
  if (stdin.isTTY === true) throw new UsageError('standard input is a terminal', { hint: terminalHint });
  if (signal !== undefined) addAbortSignal(signal, stdin);
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
    signal?.throwIfAborted();
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot read standard input: ${readMessage(error)}`, { cause: error });
  }
  return Buffer.concat(chunks);
}
