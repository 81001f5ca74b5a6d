/** A fault that could be made in the sources, and the tests that are to notice it. */
export interface Fault {
  readonly name: string;
  /** What the sources have once, wherever it is. */
  readonly find: string;
  readonly replace: string;
  /** Files of tests, by how their paths begin. */
  readonly tests: readonly string[];
}
