import { addAbortSignal } from 'node:stream';
import { messageOf, UsageError } from '../../errors/errors.js';
import type { System } from '../process/system.js';

export interface StdinOptions {
  /**
   * Where given, a terminal is refused with this hint: for input that nobody types. Without, what is typed up to
   * Ctrl-D is read.
   */
  readonly terminalHint?: string;
  /** Ends the reading with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Bytes; more are refused. */
  readonly most?: number | undefined;
}

/** All of standard input, byte for byte. @throws UsageError when it is a refused terminal, too long, or cannot be read */
export async function readStdin(system: Pick<System, 'stdin'>, options: StdinOptions = {}): Promise<Buffer> {
  const { terminalHint, signal, most = Number.POSITIVE_INFINITY } = options;
  const { stdin } = system;
  if (stdin.isTTY === true && terminalHint !== undefined) {
    throw new UsageError('standard input is a terminal', { hint: terminalHint });
  }
  if (signal !== undefined) addAbortSignal(signal, stdin);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stdin) {
      const piece = Buffer.from(chunk);
      bytes += piece.length;
      if (bytes > most) throw new UsageError(`standard input has more than ${most} bytes`);
      chunks.push(piece);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot read standard input: ${messageOf(error)}`, { cause: error });
  }
  return Buffer.concat(chunks);
}

/** All of standard input as text; a byte-order mark is dropped. @throws UsageError when it is not UTF-8, too */
export async function readStdinText(system: Pick<System, 'stdin'>, options?: StdinOptions): Promise<string> {
  const bytes = await readStdin(system, options);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UsageError('standard input is not UTF-8 text', { cause: error });
  }
}
