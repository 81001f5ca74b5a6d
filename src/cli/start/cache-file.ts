import { closeSync, fstatSync, readSync, rmSync, writevSync } from 'node:fs';
import { type CacheOwner, isPrivateFile, openPlain, replaceWhole } from './cache-owner.js';

export interface CompiledFile {
  readonly code: Buffer;
  readonly source: Buffer;
}

interface Index {
  /** For each run, the hashes of the scripts that it loaded. */
  readonly runs: readonly string[];
  readonly scripts: readonly (readonly [name: string, code: number, source: number])[];
}

interface CacheEntry {
  readonly offset: number;
  readonly code: number;
  readonly source: number;
}

const lengthOfLength = 4;
const longestIndex = 1024 * 1024;

/**
 * The file has the length of the index (4 bytes), the index (JSON), and for each script its code twice and its source.
 * Reading compares the two copies, because V8 runs damaged code unchecked. Loading a checksum library would take longer.
 */
export class CacheFile {
  readonly #path: string;
  readonly #file: number;
  readonly #entries = new Map<string, CacheEntry>();
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
    if (offset !== size) throw new Error('the length of the file differs from its index');
  }

  /** @returns `undefined` if the file is not private or is damaged; removes a damaged one @throws file system errors */
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

  /** A script's code and source; `undefined` if missing or damaged. */
  read(name: string): CompiledFile | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const { offset, code: length, source } = entry;
    const all = this.#read(offset, 2 * length + source);
    const code = all.subarray(0, length);
    return code.equals(all.subarray(length, 2 * length))
      ? { code, source: all.subarray(2 * length) }
      : undefined;
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }

  #read(offset: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafeSlow(length);
    if (readSync(this.#file, buffer, 0, length, offset) !== length) throw new Error('the file is cut short');
    return buffer;
  }
}

/** Replaces a cache file. @param id process ID @throws file system errors */
export function writeCacheFile(
  path: string,
  runs: readonly string[],
  compiled: ReadonlyMap<string, CompiledFile>,
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
