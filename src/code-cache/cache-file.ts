import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writevSync,
} from 'node:fs';
import { belongsTo, type CacheOwner } from './cache-directory.js';

/** Compiled code by the name of the script it was made from. */
export type CompiledCode = ReadonlyMap<string, Buffer>;

interface Index {
  /** Every set of scripts that runs have loaded whose compiled code is in here. */
  readonly runs: readonly string[];
  /** Name and number of bytes of each script's compiled code, in the order in which it follows the index. */
  readonly scripts: readonly (readonly [string, number])[];
}

// Where a file holds what V8 executes unchecked, only its owner may have been able to write it.
const privateMode = 0o600;
const lengthOfLength = 4;

/**
 * A file of compiled code: the length of the index (4 bytes), the index (JSON), then each script's code.
 *
 * One file, because it is replaced as a whole by one rename: a reader never sees half of a change.
 */
export class CacheFile {
  readonly #file: number;
  readonly #places = new Map<string, { readonly offset: number; readonly length: number }>();
  readonly runs: readonly string[];

  private constructor(file: number, size: number) {
    this.#file = file;
    const length = this.#read(0, lengthOfLength).readUInt32LE();
    if (length > size) throw new Error('the index is longer than the file');
    const index: Index = JSON.parse(this.#read(lengthOfLength, length).toString());
    this.runs = index.runs;
    let offset = lengthOfLength + length;
    for (const [name, bytes] of index.scripts) {
      this.#places.set(name, { offset, length: bytes });
      offset += bytes;
    }
    if (offset !== size) throw new Error('the file is not as long as its index says');
  }

  /**
   * @returns `undefined` for a file that another user could have written
   * @throws what the file system says, as when there is none, and for a file that is cut short
   */
  static open(path: string, owner: CacheOwner): CacheFile | undefined {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const found = fstatSync(file);
      const safe = owner.geteuid === undefined || (found.mode & 0o777) === privateMode;
      if (found.isFile() && belongsTo(owner, found) && safe) return new CacheFile(file, found.size);
    } catch (error) {
      closeSync(file);
      throw error;
    }
    closeSync(file);
    return undefined;
  }

  names(): Iterable<string> {
    return this.#places.keys();
  }

  /** One script's compiled code; empty when there is none. */
  code(name: string): Buffer {
    const { offset, length } = this.#places.get(name) ?? { offset: 0, length: 0 };
    return this.#read(offset, length);
  }

  #read(offset: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafeSlow(length);
    if (readSync(this.#file, buffer, 0, length, offset) !== length) throw new Error('the file is cut short');
    return buffer;
  }
}

/**
 * Replaces a cache file as a whole (0600). It is on the disk before it has its name: V8 does not see by itself that
 * compiled code is damaged, and a power cut must not leave some.
 *
 * @throws what the file system says
 */
export function writeCacheFile(
  path: string,
  runs: readonly string[],
  compiled: CompiledCode,
  id: number,
): void {
  const scripts = Array.from(compiled, ([name, code]) => [name, code.length] as const);
  const index = Buffer.from(JSON.stringify({ runs, scripts } satisfies Index));
  const length = Buffer.alloc(lengthOfLength);
  length.writeUInt32LE(index.length);
  const temporary = `${path}.${id}`;
  const file = openSync(temporary, 'wx', privateMode);
  try {
    writevSync(file, [length, index, ...compiled.values()]);
    fsyncSync(file);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}
