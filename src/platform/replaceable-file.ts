import { describeFileError, readSystemCode } from '../errors/errors.js';
import { readRegularFile } from './regular-file.js';

/** A kind of file that a command may replace. */
interface OwnKind {
  /** As in `an organization file`. */
  readonly what: string;
  readonly maxBytes: number;
  readonly includes: (text: string) => boolean;
}

/** Why a command must not replace a file; `undefined` if it is missing, empty, as `mktemp` makes it, or of this kind. */
export function whyKept(path: string, { what, maxBytes, includes }: OwnKind): string | undefined {
  try {
    const text = readRegularFile(path, maxBytes).toString('utf8');
    return text === '' || includes(text) ? undefined : `the existing file is not ${what}`;
  } catch (error) {
    return readSystemCode(error) === 'ENOENT' ? undefined : describeFileError(error);
  }
}
