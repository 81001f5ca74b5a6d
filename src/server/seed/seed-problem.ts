import { z } from '../../contract/schema.js';

/** What is wrong with a seed, and where. */
export interface SeedProblem {
  readonly path: readonly PropertyKey[];
  /** The field there that is too much. */
  readonly key?: string | undefined;
  /** Never repeats the value: it may be a secret. */
  readonly message: string;
}

/** A problem with its place, such as `organizations[0].keys[1].secret: must be …`. */
export function describeProblem({ path, message }: SeedProblem): string {
  return path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`;
}
