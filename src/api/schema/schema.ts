import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';

// zod/mini ships no messages; without a locale, every issue reads "Invalid input".
const { localeError: said } = en();
z.config({ localeError: (issue) => plainSize(issue) ?? unknownFields(issue) ?? said?.(issue) });

function plainSize(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return undefined;
  const isSmall = issue.code === 'too_small';
  const bound = isSmall ? issue.minimum : issue.maximum;
  const unit = sizeUnits.get(issue.origin);
  if (isSmall && unit !== undefined && Number(bound) === 1) return 'must not be empty';
  if (issue.inclusive === false) return `must be ${isSmall ? 'more' : 'less'} than ${bound}`;
  const limit = issue.exact ? 'exactly' : isSmall ? 'at least' : 'at most';
  return unit === undefined ? `must be ${limit} ${bound}` : `must have ${limit} ${bound} ${unit}`;
}

function unknownFields(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const known = issue.inst instanceof z.ZodMiniObject ? Object.keys(issue.inst.shape) : [];
  return [
    `unknown field ${quoteNames(issue.keys)}`,
    ...(known.length > 0 ? [`known fields: ${known.join(', ')}`] : []),
  ].join('; ');
}

export const quoteNames = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(', ');

const sizeUnits = new Map([
  ['string', 'characters'],
  ['array', 'items'],
]);

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

/** Issues as one sentence: `config.port: …; name: …`. Omits values, which may be passwords. */
export function describeIssues({ issues }: z.core.$ZodError): string {
  const listed = issues.slice(0, maxIssues).map(describeSchemaIssue);
  const more = issues.length - listed.length;
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function describeSchemaIssue(issue: z.core.$ZodIssue): string {
  const path = z.core.toDotPath(issue.path);
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}
