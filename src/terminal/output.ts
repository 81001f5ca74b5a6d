import { ConfigError, messageOf, systemCodeOf } from '../errors.js';

/** Standard output or error, as commands see it. */
export interface Output {
  readonly isTerminal: boolean;
  /** The terminal's width now, in columns; undefined where it is unknown, and in a pipe or file. */
  readonly columns: number | undefined;
  /** The terminal's height now, in lines; undefined where there is none. */
  readonly rows: number | undefined;
  /**
   * Writes as given, and resolves when the system has taken it: whoever awaits it never fills memory, and nothing is
   * cut at exit. Once the reader is gone it does nothing.
   *
   * @throws ConfigError when stdout cannot be written for another reason, such as a full disk
   */
  write(data: string | Uint8Array): Promise<void>;
}

// EOF is what Windows calls it; a stream that Node destroyed after the first EPIPE answers with its own code.
/** Whether a write failed because its reader has left. */
export function isClosedPipe(error: unknown): boolean {
  const code = systemCodeOf(error);
  return code === 'EPIPE' || code === 'EOF' || code === 'ERR_STREAM_DESTROYED';
}

/** What a write that failed for another reason throws. */
export function writeError(error: unknown): ConfigError {
  return new ConfigError(`cannot write to standard output: ${messageOf(error)}`, { cause: error });
}
