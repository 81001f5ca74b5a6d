import * as z from 'zod/mini';

// zod/mini ships no messages: without these, every issue reads "Invalid input".
z.config({ localeError: explainIssue });

/** Such as `must be a string, not a number`. Omits the value, which may be a secret. */
function explainIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return explainType(issue.expected, issue.input);
    case 'invalid_value': {
      const values = issue.values.map((value) => z.core.util.stringifyPrimitive(value)).join(' or ');
      return issue.input === undefined ? `required (${values})` : `must be ${values}`;
    }
    case 'too_small':
    case 'too_big':
      return explainSize(issue);
    case 'unrecognized_keys':
      return nameUnknownFields(issue);
    case 'invalid_format':
      return `must be of the format ${issue.format}`;
    default:
      return issue.input === undefined ? 'required' : 'is not valid';
  }
}

function explainType(expected: string, input: unknown): string {
  const noun = typeNames.get(expected) ?? expected;
  if (input === undefined) return `required (${noun})`;
  const type = z.core.util.parsedType(input);
  const received =
    type === 'number' && !Number.isFinite(input) ? String(input) : (typeNames.get(type) ?? type);
  return `must be ${addArticle(noun)}, not ${addArticle(received)}`;
}

const typeNames = new Map([
  ['record', 'object'],
  ['int', 'integer'],
  ['nan', 'NaN'],
]);

function addArticle(noun: string): string {
  if (!/^[a-z]/.test(noun) || noun === 'null' || noun === 'undefined') return noun;
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

type SizeIssue = Extract<z.core.$ZodRawIssue, { code: 'too_small' | 'too_big' }>;

function explainSize(issue: SizeIssue): string {
  const isSmall = issue.code === 'too_small';
  const bound = isSmall ? issue.minimum : issue.maximum;
  const unit = sizeUnits.get(issue.origin);
  if (isSmall && unit !== undefined && Number(bound) === 1) return 'must not be empty';
  if (issue.inclusive === false) return `must be ${isSmall ? 'more' : 'less'} than ${bound}`;
  const limit = issue.exact ? 'exactly' : isSmall ? 'at least' : 'at most';
  return unit === undefined ? `must be ${limit} ${bound}` : `must have ${limit} ${bound} ${unit}`;
}

const sizeUnits = new Map([
  ['string', 'characters'],
  ['array', 'items'],
]);

function nameUnknownFields(issue: Extract<z.core.$ZodRawIssue, { code: 'unrecognized_keys' }>): string {
  const known = issue.inst instanceof z.ZodMiniObject ? Object.keys(issue.inst.shape) : [];
  return [
    `unknown field ${quoteNames(issue.keys)}`,
    ...(known.length > 0 ? [`known fields: ${known.join(', ')}`] : []),
  ].join('; ');
}

export const quoteNames = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(', ');

export { z };

/** Refuses blank names by a pattern, because JSON Schema can express it. */
export const nameSchema = z
  .string()
  .check(z.minLength(1, { abort: true }), z.regex(/\S/, 'must not be blank'), z.maxLength(255));

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

/** Issues as one sentence: `config.port: required (number); name: …`. Omits values, which may be passwords. */
export function describeIssues({ issues: all }: z.core.$ZodError): string {
  const issues = all.filter(isNarrowest);
  const listed = issues.slice(0, maxIssues).map(placeMessage);
  const more = issues.length - listed.length;
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** A number can be beyond the limit of its type and one of its own, which follows. */
function isNarrowest(
  { code, path }: z.core.$ZodIssue,
  at: number,
  issues: readonly z.core.$ZodIssue[],
): boolean {
  const next = issues[at + 1];
  const isSize = code === 'too_small' || code === 'too_big';
  return !isSize || next?.code !== code || z.core.toDotPath(next.path) !== z.core.toDotPath(path);
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
