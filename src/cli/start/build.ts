import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from '../../platform/platform-directories.js';
import { version } from '../../platform/version.js';
import { CacheFile, type CompiledFile, writeCacheFile } from './cache-file.js';
import { type CacheOwner, isPrivate, makePrivate, removeAbandoned } from './cache-owner.js';
import { ScriptLoader } from './script-loader.js';

export interface BuildProcess extends CacheOwner {
  /** The version of Node.js: V8 rejects code that another version compiled. */
  readonly version: string;
  readonly arch: string;
  readonly pid: number;
}

export interface BuildOptions {
  readonly directory: string;
  readonly system: BuildProcess;
  readonly require: (id: string) => unknown;
}

export interface Build {
  load(name: string): unknown;
  remember(): void;
}

/**
 * Caches compiled code, which saves most of the loading time. `module.enableCompileCache` of Node.js is slower: it
 * stores only what the first run compiled. Caches nothing if there is no private directory, or if
 * `NODE_DISABLE_COMPILE_CACHE` is set.
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

  /** Saves compiled code if some of it is new, or if these files ran together for the first time. */
  remember(): void {
    const directory = this.#cacheDirectory;
    const loader = this.#loader;
    if (directory === undefined || loader === undefined) return;
    tryBuild(() => this.#keep(directory, loader));
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
      this.#cache = tryBuild(() =>
        isPrivate(directory, this.#system) ? CacheFile.open(this.#path(directory), this.#system) : undefined,
      );
    }
    return new ScriptLoader(this.#directory, this.#require, (name, source) => this.#codeOf(name, source));
  }

  // Returns `undefined` if the cache has no usable code: the source can still be compiled.
  #codeOf(name: string, source: Buffer): Buffer | undefined {
    const cache = this.#cache;
    if (cache === undefined || !cache.has(name)) return undefined;
    const compiled = tryBuild(() => cache.read(name));
    if (compiled?.source.equals(source)) return compiled.code;
    // If one part is damaged, others may be.
    tryBuild(() => cache.remove());
    this.#cache = undefined;
    return undefined;
  }

  #path(directory: string): string {
    return join(directory, `code-${version}-${this.#system.version}-${this.#system.arch}`);
  }

  #ofOtherRuns(): [string, CompiledFile][] {
    const cache = this.#cache;
    if (cache === undefined) return [];
    return readdirSync(this.#directory).flatMap((name) => {
      const compiled = cache.read(name);
      return compiled === undefined ? [] : [[name, compiled] as [string, CompiledFile]];
    });
  }
}

/** Ignores errors of the cache, which only slow the start. */
function tryBuild<Result>(work: () => Result): Result | undefined {
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
