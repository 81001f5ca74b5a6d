import { UsageError } from '../../errors/errors.js';
import { z } from './schema.js';

/** Checks options, and refuses unknown ones. @throws UsageError naming the wrong options, but not their values */
export function checkOptions(what: string, schema: z.ZodMiniObject, options: unknown): void {
  const { error } = z.safeParse(schema, options);
  if (error === undefined) return;
  throw new UsageError(`${what}: ${error.issues.flatMap(describeOptionProblems).join('; ')}`, {
    hint: `options: ${Object.keys(schema.shape).join(', ')}`,
  });
}

function describeOptionProblems(issue: z.core.$ZodIssue): string[] {
  const path = z.core.toDotPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `\`${path === '' ? key : `${path}.${key}`}\` is not an option`);
  }
  return [path === '' ? `options: ${issue.message}` : `\`${path}\`: ${issue.message}`];
}

export const functionOption = z.custom<(...values: never[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
);
