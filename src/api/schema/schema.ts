import * as z from 'zod/mini';

// zod/mini ships no messages: without these, every issue reads "Invalid input".
z.config({ localeError: explainIssue });

/** Such as `must be a string, not a number`. Omits the value, which may be a secret. */
function explainIssue(issue: z.core.$ZodRawIssue): string {
  const isMissing = issue.input === undefined;
  switch (issue.code) {
    case 'invalid_type': {
      const noun = typeNames.get(issue.expected) ?? issue.expected;
      return isMissing
        ? `required (${noun})`
        : `must be ${addArticle(noun)}, not ${describeType(issue.input)}`;
    }
    case 'invalid_value': {
      const values = issue.values.map((value) => z.core.util.stringifyPrimitive(value)).join(' or ');
      return isMissing ? `required (${values})` : `must be ${values}`;
    }
    case 'too_small':
    case 'too_big':
      return explainSize(issue);
    case 'unrecognized_keys': {
      const known = issue.inst instanceof z.ZodMiniObject ? Object.keys(issue.inst.shape).join(', ') : '';
      const names = issue.keys.map((name) => JSON.stringify(name)).join(', ');
      return `unknown field ${names}${known && `; known fields: ${known}`}`;
    }
    case 'invalid_format':
      return `must be of the format ${issue.format}`;
    default:
      return isMissing ? 'required' : 'is not valid';
  }
}

const typeNames = new Map([
  ['record', 'object'],
  ['int', 'integer'],
  ['nan', 'NaN'],
]);

function describeType(input: unknown): string {
  if (input === Infinity || input === -Infinity) return String(input);
  const type = z.core.util.parsedType(input);
  return addArticle(typeNames.get(type) ?? type);
}

function addArticle(noun: string): string {
  if (!/^[a-z]/.test(noun) || noun === 'null') return noun;
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function explainSize(issue: Extract<z.core.$ZodRawIssue, { code: 'too_small' | 'too_big' }>): string {
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

/** Issues as one sentence: `config.port: required (number); name: …`. Omits values, which may be passwords. */
export function describeIssues({ issues }: z.core.$ZodError): string {
  const more = issues.length - maxIssues;
  return [...issues.slice(0, maxIssues).map(placeMessage), ...(more > 0 ? [`and ${more} more`] : [])].join(
    '; ',
  );
}

/** What is wrong at a place of some data. */
export interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export function placeMessage({ path, message }: Problem): string {
  const place = z.core.toDotPath(path);
  return place === '' ? message : `${place}: ${message}`;
}
