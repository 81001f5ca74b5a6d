import { closeSync, fstatSync, readSync, rmSync, writevSync } from 'node:fs';
import { type CacheOwner, isPrivateFile, openPlain, replaceWhole } from './cache-owner.js';

/** A script's compiled code, and the source that it was compiled from. */
export interface Compiled {
  readonly code: Buffer;
  readonly source: Buffer;
}

interface Index {
  /** Every set of scripts that runs have loaded whose compiled code is in here. */
  readonly runs: readonly string[];
  /** Of each script its name and the bytes of its compiled code and of its source, in the order in which they follow. */
  readonly scripts: readonly (readonly [name: string, code: number, source: number])[];
}

/** Where a script is in the file, with the lengths of its parts. */
interface Entry {
  readonly offset: number;
  readonly code: number;
  readonly source: number;
}

const lengthOfLength = 4;
const longestIndex = 1024 * 1024;

/**
 * A file of compiled code: the length of the index (4 bytes), the index (JSON), then of each script the code, the same
 * code once more, and the source.
 *
 * V8 executes compiled code as it is, damaged or not, and knows the source that it is of by its length alone. The second
 * copy and the source replace a checksum: comparing takes 0.03 ms a megabyte, and what computes sums would
 * have to be loaded first, `node:zlib` for 2.4 ms and `node:crypto` for 2.7, where all of `--help` takes 45.
 *
 * One file, because it is replaced as a whole by one rename: a reader never sees half of a change.
 */
export class CacheFile {
  readonly #path: string;
  readonly #file: number;
  readonly #entries = new Map<string, Entry>();
  readonly runs: readonly string[];

  private constructor(path: string, file: number, size: number) {
    this.#path = path;
    this.#file = file;
    const length = this.#read(0, lengthOfLength).readUInt32LE();
    if (length > Math.min(size, longestIndex)) throw new Error('the index is too long');
    const index: Index = JSON.parse(this.#read(lengthOfLength, length).toString());
    this.runs = index.runs;
    let offset = lengthOfLength + length;
    for (const [name, code, source] of index.scripts) {
      this.#entries.set(name, { offset, code, source });
      offset += 2 * code + source;
    }
    if (offset !== size) throw new Error('the file is not as long as its index says');
  }

  /**
   * @returns `undefined` for what is no file, or one that another user could have written, or a damaged one, which is removed
   * @throws what the file system says, as when there is none
   */
  static open(path: string, owner: CacheOwner): CacheFile | undefined {
    const file = openPlain(path);
    const found = fstatSync(file);
    if (isPrivateFile(found, owner)) {
      try {
        return new CacheFile(path, file, found.size);
      } catch {
        rmSync(path);
      }
    }
    closeSync(file);
    return undefined;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** What is kept of one script; `undefined` for nothing, or for what does not agree with itself. */
  compiled(name: string): Compiled | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const { offset, code: length, source } = entry;
    const all = this.#read(offset, 2 * length + source);
    const code = all.subarray(0, length);
    return code.equals(all.subarray(length, 2 * length))
      ? { code, source: all.subarray(2 * length) }
      : undefined;
  }

  /** Removes the file: something in it is damaged. */
  remove(): void {
    rmSync(this.#path, { force: true });
  }

  #read(offset: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafeSlow(length);
    if (readSync(this.#file, buffer, 0, length, offset) !== length) throw new Error('the file is cut short');
    return buffer;
  }
}

/**
 * Replaces a cache file as a whole.
 *
 * @param id of this process
 * @throws what the file system says
 */
export function writeCacheFile(
  path: string,
  runs: readonly string[],
  compiled: ReadonlyMap<string, Compiled>,
  id: number,
): void {
  const scripts = Array.from(
    compiled,
    ([name, { code, source }]) => [name, code.length, source.length] as const,
  );
  const index = Buffer.from(JSON.stringify({ runs, scripts } satisfies Index));
  const length = Buffer.alloc(lengthOfLength);
  length.writeUInt32LE(index.length);
  const parts = [...compiled.values()].flatMap(({ code, source }) => [code, code, source]);
  replaceWhole(path, id, (file) => writevSync(file, [length, index, ...parts]));
}
