import { complaintAbout, complaintAboutKey, complaintAboutText, maxDepth } from '../routes/json-body.js';
import type { SeedProblem } from './seed-problem.js';

interface Place {
  readonly value: unknown;
  readonly path: readonly PropertyKey[];
}

/** All that makes a seed unfit for storage, as `complaintAbout` has it for a body, each with its place. */
export function unfitParts(seed: unknown): SeedProblem[] {
  // Most have nothing of it, and then no path has to be made.
  if (complaintAbout(seed) === undefined) return [];
  const problems: SeedProblem[] = [];
  let level: Place[] = [{ value: seed, path: [] }];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return [...problems, ...level.map(tooDeep)];
    level = level.flatMap((place) => {
      const message = complaintAt(place);
      if (message !== undefined) problems.push({ path: place.path, message });
      return partsOf(place);
    });
  }
  return problems;
}

function tooDeep({ path }: Place): SeedProblem {
  return { path, message: `is nested deeper than ${maxDepth} levels` };
}

/** What is wrong with a text, or with the name of a field. */
function complaintAt({ value, path }: Place): string | undefined {
  const key = path.at(-1);
  const ofKey = typeof key === 'string' ? complaintAboutKey(key) : undefined;
  return ofKey ?? (typeof value === 'string' ? complaintAboutText(value) : undefined);
}

function partsOf({ value, path }: Place): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.map(([key, part]) => ({ value: part, path: [...path, key] }));
}
