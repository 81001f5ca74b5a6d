import { UsageError } from '../../errors/errors.js';
import { z } from './schema.js';

/** Checks options, and refuses unknown ones. @throws UsageError naming the wrong options, but not their values */
export function checkOptions(what: string, schema: z.ZodMiniObject, options: unknown): void {
  const hint = `options: ${Object.keys(schema.shape).join(', ')}`;
  const { error } = z.safeParse(schema, options);
  if (error !== undefined) throw new UsageError(`${what}: ${describeProblems(error)}`, { hint });
}

/** Reads the named arguments of a call. @throws UsageError naming the wrong ones */
export function readInput<Schema extends z.core.$ZodType>(
  what: string,
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const read = z.safeParse(schema, input);
  if (!read.success) throw new UsageError(`${what}: ${describeProblems(read.error)}`);
  return read.data;
}

function describeProblems({ issues }: z.core.$ZodError): string {
  const problems = issues.flatMap((issue) => {
    const path = z.core.toDotPath(issue.path);
    if (issue.code !== 'unrecognized_keys') {
      return path === '' ? `options: ${issue.message}` : `\`${path}\`: ${issue.message}`;
    }
    return issue.keys.map((key) => `\`${path === '' ? key : `${path}.${key}`}\` is not an option`);
  });
  return problems.join('; ');
}

export const functionOption = z.custom<(...values: never[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
);
