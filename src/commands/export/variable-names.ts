import type { Resource } from '../../contract/resource.js';

/** Names of environment variables for secrets, each once in a file. */
export class VariableNames {
  readonly #taken = new Set<string>();

  get count(): number {
    return this.#taken.size;
  }

  /** Such as `APP_DB_PASSWORD` for the connection `app`; with a part of its ID where another one has that already. */
  passwordOf({ name, id }: Resource): string {
    const stem = wordOf(String(name)) || 'CONNECTION';
    const suffixes = ['', `_${wordOf(String(id)).slice(-6)}`, `_${wordOf(String(id))}`];
    const names = suffixes.map((suffix) => `${stem}${suffix}_DB_PASSWORD`);
    const free = names.find((one) => !this.#taken.has(one)) ?? `${stem}_${this.#taken.size}_DB_PASSWORD`;
    this.#taken.add(free);
    return free;
  }
}

/** A text as a part of a variable's name: capitals, digits and `_`, no digit first. */
function wordOf(text: string): string {
  const word = text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '');
  return /^\d/.test(word) ? `_${word}` : word;
}
