import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { CompiledFile } from './cache-file.js';

type Require = (id: string) => unknown;

type ReadScript = (name: string) => Buffer;

type CodeOf = (name: string, source: Buffer) => Buffer | undefined;

interface LoadedScript {
  readonly script: Script;
  /** The source with its wrapper, which V8 keeps in memory anyway. */
  readonly wrapped: string;
  readonly module: { exports: unknown };
}

/** The CommonJS wrapper of Node.js. Adds no line before the source, so that stack traces show the source's lines. */
const head = '(function (exports, require, module, __filename, __dirname) {';
const tail = '\n})';
const headBytes = Buffer.from(head);
const tailBytes = Buffer.from(tail);

/** Names like `quotas-CaSK181s.cjs` contain a hash of the content, so they mean the same file in every build. */
function isNamedByContent(name: string): boolean {
  return /-[\w-]{8}\.cjs$/.test(name);
}

/** Loads the build's CommonJS files as Node.js does, with a cache of compiled code. */
export class ScriptLoader {
  readonly #directory: string;
  readonly #require: Require;
  readonly #codeOf: CodeOf;
  readonly #read: ReadScript;
  readonly #loaded = new Map<string, LoadedScript>();
  #compiledHere = false;

  /** @param directory of the files, also for stack traces @param require loads modules outside the build */
  constructor(
    directory: string,
    require: Require,
    codeOf: CodeOf,
    read: ReadScript = (name) => readFileSync(join(directory, name)),
  ) {
    this.#directory = directory;
    this.#require = require;
    this.#codeOf = codeOf;
    this.#read = read;
  }

  load(name: string): unknown {
    return (this.#loaded.get(name) ?? this.#run(name)).module.exports;
  }

  names(): string[] {
    return [...this.#loaded.keys()].filter(isNamedByContent).sort();
  }

  /** Whether V8 compiled any file that could have been cached. */
  get compiledHere(): boolean {
    return this.#compiledHere;
  }

  /** The code compiled so far, which grows as further functions run. */
  compiled(): Map<string, CompiledFile> {
    const named = [...this.#loaded].filter(([name]) => isNamedByContent(name));
    return new Map(named.map(([name, loaded]) => [name, compiledNow(loaded)]));
  }

  #run(name: string): LoadedScript {
    const filename = join(this.#directory, name);
    const source = this.#read(name);
    const wrapped = Buffer.concat([headBytes, source, tailBytes]).toString();
    const cachedData = isNamedByContent(name) ? this.#codeOf(name, source) : undefined;
    const script = new Script(wrapped, {
      filename,
      columnOffset: -head.length,
      ...(cachedData && { cachedData }),
    });
    if (isNamedByContent(name) && script.cachedDataRejected !== false) this.#compiledHere = true;
    const loaded = { script, wrapped, module: { exports: {} } };
    // Added before it runs: in a cycle of imports, files get partial exports, as in Node.js.
    this.#loaded.set(name, loaded);
    const require = (id: string) => (id.startsWith('./') ? this.load(id.slice(2)) : this.#require(id));
    script.runInThisContext()(loaded.module.exports, require, loaded.module, filename, this.#directory);
    return loaded;
  }
}

function compiledNow({ script, wrapped }: LoadedScript): CompiledFile {
  const source = Buffer.from(wrapped.slice(head.length, -tail.length));
  return { code: script.createCachedData(), source };
}
