import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from '../../platform/platform-directories.js';
import { version } from '../../platform/version.js';
import { CacheFile, type Compiled, writeCacheFile } from './cache-file.js';
import { type CacheOwner, isPrivate, makePrivate, removeAbandoned } from './cache-owner.js';
import { ScriptLoader } from './script-loader.js';

/** What decides whether compiled code is kept, where, and which processes can use it. */
export interface BuildProcess extends CacheOwner {
  /** Node's version: V8 takes no compiled code of another. */
  readonly version: string;
  readonly arch: string;
  readonly pid: number;
}

export interface BuildOptions {
  /** Where the build's CommonJS files are. */
  readonly directory: string;
  readonly system: BuildProcess;
  readonly require: (id: string) => unknown;
}

/** The files that the command line was built into. */
export interface Build {
  /** The exports of one of them. */
  load(name: string): unknown;
  /** Keeps what this run had to compile, for the next one. */
  remember(): void;
}

/**
 * The build, with compiled code kept from earlier runs, which saves most of the time that loading takes (measured in
 * docs/performance.md). Node 22 and later have such a cache of their own, `module.enableCompileCache`; it keeps what the
 * first run compiled, and a request takes a fifth longer with it. Nothing is kept, and nothing said, where no directory
 * is this user's alone or it cannot be written, and with `NODE_DISABLE_COMPILE_CACHE`, Node's own switch for its own.
 */
export function openBuild(options: BuildOptions): Build {
  const { system } = options;
  return new CachedBuild(
    options,
    system.env['NODE_DISABLE_COMPILE_CACHE'] ? undefined : cacheDirectory(system),
  );
}

class CachedBuild implements Build {
  readonly #directory: string;
  readonly #system: BuildProcess;
  readonly #require: (id: string) => unknown;
  readonly #cacheDirectory: string | undefined;
  #cache: CacheFile | undefined;
  #loader: ScriptLoader | undefined;

  constructor({ directory, system, require }: BuildOptions, cacheDirectory: string | undefined) {
    this.#directory = directory;
    this.#system = system;
    this.#require = require;
    this.#cacheDirectory = cacheDirectory;
  }

  load(name: string): unknown {
    this.#loader ??= this.#open();
    return this.#loader.load(name);
  }

  /**
   * Of a file, the compiled code has the functions that had run when it was taken. So each new combination of files,
   * which is one way through the tool, is added once: `--help` needs other functions than a request does.
   */
  remember(): void {
    const directory = this.#cacheDirectory;
    const loader = this.#loader;
    if (directory === undefined || loader === undefined) return;
    // The next start is merely as slow as this one: no reason to fail a command that has done its work.
    attempt(() => this.#keep(directory, loader));
  }

  #keep(directory: string, loader: ScriptLoader): void {
    const run = loader.names().map(hashIn).join('');
    const runs = this.#cache?.runs ?? [];
    if (runs.includes(run) && !loader.compiledHere) return;
    makePrivate(directory);
    if (!isPrivate(directory, this.#system)) return;
    const compiled = new Map([...this.#ofOtherRuns(), ...loader.compiled()]);
    writeCacheFile(this.#path(directory), [...new Set([...runs, run])], compiled, this.#system.pid);
    removeAbandoned(directory, 'code-');
  }

  #open(): ScriptLoader {
    const directory = this.#cacheDirectory;
    if (directory !== undefined) {
      this.#cache = attempt(() =>
        isPrivate(directory, this.#system) ? CacheFile.open(this.#path(directory), this.#system) : undefined,
      );
    }
    return new ScriptLoader(this.#directory, this.#require, (name, source) => this.#codeOf(name, source));
  }

  // Whatever the disk does to the file in the meantime, the build itself is there to be compiled.
  #codeOf(name: string, source: Buffer): Buffer | undefined {
    const cache = this.#cache;
    if (cache === undefined || !cache.has(name)) return undefined;
    const compiled = attempt(() => cache.compiled(name));
    if (compiled?.source.equals(source)) return compiled.code;
    // A file that is damaged in one place is not trusted in any other.
    attempt(() => cache.remove());
    this.#cache = undefined;
    return undefined;
  }

  #path(directory: string): string {
    return join(directory, `code-${version}-${this.#system.version}-${this.#system.arch}`);
  }

  /** The kept code of files that this run did not load and the build still has. */
  #ofOtherRuns(): [string, Compiled][] {
    const cache = this.#cache;
    if (cache === undefined) return [];
    return readdirSync(this.#directory).flatMap((name) => {
      const compiled = cache.compiled(name);
      return compiled === undefined ? [] : [[name, compiled] as [string, Compiled]];
    });
  }
}

/** Without a readable cache a start is slower, and nothing else. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

// The hash in `quotas-CaSK181s.cjs`.
function hashIn(name: string): string {
  return name.slice(name.lastIndexOf('-') + 1, -'.cjs'.length);
}
