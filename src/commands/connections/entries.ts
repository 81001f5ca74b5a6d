/** A place in a file: a field of an entry, or the entry itself where the path is empty. */
export interface Field {
  readonly entry: number;
  readonly path: readonly PropertyKey[];
}

/** What a file holds. */
export interface Entries {
  /** Whether it is a list, of any length; otherwise it is one entry by itself. */
  readonly isList: boolean;
  readonly entries: readonly unknown[];
  /** The line, from 1, where a field stands; of one that is missing, where what should have it begins. */
  readonly lineOf: (field: Field) => Promise<number>;
}
