/** The parts of https://nodejs.org/api/sqlite.html that orgctl uses; the types of Node.js 20 lack them. */
declare module 'node:sqlite' {
  type Value = null | number | bigint | string | Uint8Array;

  class StatementSync {
    all(...parameters: Value[]): unknown[];
    run(...parameters: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint };
    iterate(...parameters: Value[]): IterableIterator<unknown>;
    columns(): readonly unknown[];
  }

  class DatabaseSync {
    constructor(path: string);
    prepare(text: string): StatementSync;
    exec(text: string): void;
    close(): void;
  }
}
