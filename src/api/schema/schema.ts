import * as z from 'zod/mini';
import { explainIssue } from './issue-messages.js';

// zod/mini ships no messages: without these, every issue reads "Invalid input".
z.config({ localeError: explainIssue });

export { z };

export type CheckedValue<Output> = { readonly data: Output } | { readonly misfit: string };

/** Checks untrusted data. Zod exhausts the stack when it passes on a hundred thousand issues of one list. */
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

/** Issues as one sentence: `config.port: required (number); name: …`. Omits values, which may be passwords. */
export function describeIssues({ issues }: z.core.$ZodError): string {
  const listed = issues.slice(0, maxIssues).map(placeMessage);
  const more = issues.length - listed.length;
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

export function placeMessage({
  path,
  message,
}: {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}): string {
  const place = z.core.toDotPath(path);
  return place === '' ? message : `${place}: ${message}`;
}
