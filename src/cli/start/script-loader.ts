import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { Compiled } from './cache-file.js';

type Require = (id: string) => unknown;

/** The bytes of a file of the build. */
type Read = (name: string) => Buffer;

/** Compiled code of a script that has this source; `undefined` when there is none. */
type CodeOf = (name: string, source: Buffer) => Buffer | undefined;

interface Loaded {
  readonly script: Script;
  /** As V8 has it, so that it takes no memory of its own. */
  readonly wrapped: string;
  readonly module: { exports: unknown };
}

/** How Node wraps a CommonJS module; in one line, so that positions in stack traces stay true. */
const head = '(function (exports, require, module, __filename, __dirname) {';
const tail = '\n})';

/** Whether the build named a file by a hash of what it holds, `quotas-CaSK181s.cjs`: no other build has one of that name. */
function isNamedByContent(name: string): boolean {
  return /-[\w-]{8}\.cjs$/.test(name);
}

/**
 * Loads the build's CommonJS files as Node does, except that compiled code can be given for them and taken from them.
 */
export class ScriptLoader {
  readonly #directory: string;
  readonly #require: Require;
  readonly #codeOf: CodeOf;
  readonly #read: Read;
  readonly #loaded = new Map<string, Loaded>();
  #compiledHere = false;

  /**
   * @param directory what stack traces call the place of the files
   * @param require loads what is not part of the build
   */
  constructor(
    directory: string,
    require: Require,
    codeOf: CodeOf,
    read: Read = (name) => readFileSync(join(directory, name)),
  ) {
    this.#directory = directory;
    this.#require = require;
    this.#codeOf = codeOf;
    this.#read = read;
  }

  /** The exports of a file of the directory. */
  load(name: string): unknown {
    return (this.#loaded.get(name) ?? this.#run(name)).module.exports;
  }

  /** The names of the files loaded for which compiled code can be kept. */
  names(): string[] {
    return [...this.#loaded.keys()].filter(isNamedByContent).sort();
  }

  /** Whether anything had to be compiled for lack of compiled code that fits. */
  get compiledHere(): boolean {
    return this.#compiledHere;
  }

  /** What of each file is compiled by now, which grows with what of it has run. */
  compiled(): Map<string, Compiled> {
    const named = [...this.#loaded].filter(([name]) => isNamedByContent(name));
    return new Map(named.map(([name, loaded]) => [name, compiledNow(loaded)]));
  }

  #run(name: string): Loaded {
    const filename = join(this.#directory, name);
    const source = this.#read(name);
    const wrapped = `${head}${source.toString()}${tail}`;
    const cachedData = isNamedByContent(name) ? this.#codeOf(name, source) : undefined;
    const script = new Script(wrapped, {
      filename,
      columnOffset: -head.length,
      ...(cachedData && { cachedData }),
    });
    if (isNamedByContent(name) && script.cachedDataRejected !== false) this.#compiledHere = true;
    const loaded = { script, wrapped, module: { exports: {} } };
    // Before it runs: files that need each other get what is there by then, as in Node.
    this.#loaded.set(name, loaded);
    const require = (id: string) => (id.startsWith('./') ? this.load(id.slice(2)) : this.#require(id));
    script.runInThisContext()(loaded.module.exports, require, loaded.module, filename, this.#directory);
    return loaded;
  }
}

function compiledNow({ script, wrapped }: Loaded): Compiled {
  const source = Buffer.from(wrapped.slice(head.length, -tail.length));
  return { code: script.createCachedData(), source };
}
