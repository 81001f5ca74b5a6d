import { UsageError } from '../../errors/errors.js';
import { z } from './schema.js';

/**
 * Refuses what a function of the library cannot take as its options, unknown names included: in a program without types
 * nothing else would. Values are never repeated: one may be a secret.
 *
 * @param what the function, as the message names it
 * @throws UsageError naming each option that is wrong
 */
export function checkOptions(what: string, schema: z.ZodMiniObject, options: unknown): void {
  const { error } = z.safeParse(schema, options);
  if (error === undefined) return;
  throw new UsageError(`${what}: ${error.issues.flatMap(describeOptionProblems).join('; ')}`, {
    hint: `its options: ${Object.keys(schema.shape).join(', ')}`,
  });
}

function describeOptionProblems(issue: z.core.$ZodIssue): string[] {
  const path = z.core.toDotPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `\`${path === '' ? key : `${path}.${key}`}\` is not an option`);
  }
  // What zod says first of a wrong type adds nothing where it is named.
  const message = issue.message.replace(/^Invalid input: /, '');
  return [path === '' ? `options: ${message}` : `\`${path}\`: ${message}`];
}

/** A function, which no schema looks into. */
export const functionOption = z.custom<(...values: never[]) => unknown>(
  (value) => typeof value === 'function',
  'expected a function',
);
