import { UsageError } from '../../errors/errors.js';
import { describeIssues, z } from './schema.js';

/** Checks options, and refuses unknown ones. @throws UsageError naming the wrong options, but not their values */
export function checkOptions(what: string, schema: z.ZodMiniObject, options: unknown): void {
  const hint = `options: ${Object.keys(schema.shape).join(', ')}`;
  const { error } = z.safeParse(schema, options);
  if (error !== undefined) throw new UsageError(`${what}: ${describeIssues(error)}`, { hint });
}

/** Reads the named arguments of a call. @throws UsageError naming the wrong ones */
export function readInput<Schema extends z.core.$ZodType>(
  what: string,
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const read = z.safeParse(schema, input);
  if (!read.success) throw new UsageError(`${what}: ${describeIssues(read.error)}`);
  return read.data;
}

export const functionOption = z.custom<(...values: never[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
);
