import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { UsageError } from '../../errors/errors.js';

// zod/mini ships no messages. These omit values, which may be secrets.
z.config(en());

export { z };

export type CheckedValue<Output> = { readonly data: Output } | { readonly misfit: string };

/** Checks untrusted data. Zod exhausts the stack when one list has a hundred thousand issues. */
export function checkValue<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
): CheckedValue<z.output<Schema>> {
  try {
    const { data, error } = z.safeParse(schema, value);
    return error === undefined ? { data } : { misfit: describeIssues(error) };
  } catch (error) {
    if (error instanceof RangeError) return { misfit: 'too many problems to list' };
    throw error;
  }
}

const maxIssues = 20;

/** Issues as one sentence: `config.port: Invalid input; name: …`. Omits values, which may be passwords. */
export function describeIssues({ issues }: z.core.$ZodError): string {
  const shown = issues.slice(0, maxIssues).map(placeMessage);
  if (issues.length > maxIssues) shown.push(`and ${issues.length - maxIssues} more`);
  return shown.join('; ');
}

export interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export function placeMessage({ path, message }: Problem): string {
  const place = z.core.toDotPath(path);
  return place === '' ? message : `${place}: ${message}`;
}

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
