import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

type Require = (id: string) => unknown;

interface Loaded {
  readonly script: Script;
  readonly module: { exports: unknown };
}

/** How Node wraps a CommonJS module; in one line, so that positions in stack traces stay true. */
const head = '(function (exports, require, module, __filename, __dirname) {';

const nothing = Buffer.alloc(0);

/**
 * Whether the build named a file by a hash of what it holds: `quotas-CaSK181s.cjs`. V8 tells the source of compiled code
 * by its length alone, and would run what an older build had of any other file.
 */
function isNamedByContent(name: string): boolean {
  return /-[\w-]{8}\.cjs$/.test(name);
}

/**
 * Loads the build's CommonJS files as Node does, except that compiled code can be given for them and taken from them.
 */
export class ScriptLoader {
  readonly #directory: string;
  readonly #require: Require;
  readonly #codeOf: (name: string) => Buffer;
  readonly #loaded = new Map<string, Loaded>();
  #compiledHere = false;

  /** @param require loads what is not part of the build */
  constructor(directory: string, require: Require, codeOf: (name: string) => Buffer) {
    this.#directory = directory;
    this.#require = require;
    this.#codeOf = codeOf;
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
  compiled(): Map<string, Buffer> {
    return new Map(
      this.names().map((name) => [name, this.#loaded.get(name)?.script.createCachedData() ?? nothing]),
    );
  }

  #run(name: string): Loaded {
    const filename = join(this.#directory, name);
    const cachedData = isNamedByContent(name) ? this.#codeOf(name) : nothing;
    const script = new Script(`${head}${readFileSync(filename, 'utf8')}\n})`, {
      filename,
      columnOffset: -head.length,
      ...(cachedData.length > 0 && { cachedData }),
    });
    if (isNamedByContent(name) && script.cachedDataRejected !== false) this.#compiledHere = true;
    const loaded = { script, module: { exports: {} } };
    // Before it runs: files that need each other get what is there by then, as in Node.
    this.#loaded.set(name, loaded);
    const require = (id: string) => (id.startsWith('./') ? this.load(id.slice(2)) : this.#require(id));
    script.runInThisContext()(loaded.module.exports, require, loaded.module, filename, this.#directory);
    return loaded;
  }
}
