import { STATUS_CODES } from 'node:http';
import type { Dialect } from '../../api/dialect/dialect.js';
import type { FieldNames } from '../../api/dialect/field-names.js';
import { type Answer, errorAnswer } from '../http/answer.js';
import type { HttpError } from '../http/http-error.js';

interface Problem {
  readonly field?: string;
  readonly message: string;
}

/** Writes an error in the dialect; the body for an exceeded quota is the same in all dialects. */
export function writeError(
  refusal: HttpError,
  { errors, headers }: Dialect,
  fields: FieldNames | undefined,
  now: number,
): Answer {
  const { statusCode, refusal: cause } = refusal;
  if (cause.check === 'quota') return errorAnswer(refusal);
  const problems = splitProblems(refusal, fields);
  const texts = problems.map(({ field, message }) =>
    field === undefined ? message : `${field}: ${message}`,
  );
  const message = texts.join('; ');
  const title = STATUS_CODES[statusCode] ?? 'Error';
  const [type, body] =
    errors === 'text'
      ? ['text/plain', `${message}\n`]
      : [
          errors === 'problem' ? 'application/problem+json' : 'application/json',
          JSON.stringify(forms[errors]({ status: statusCode, title, message, texts, problems })),
        ];
  const { headers: own = [] } = cause;
  const [name, wait = ''] = own;
  const others = statusCode === 429 && name === 'Retry-After' ? waits[headers.rateLimit](wait, now) : own;
  return { status: statusCode, headers: ['Content-Type', `${type}; charset=utf-8`, ...others], body };
}

function splitProblems(
  { message, refusal: { check } }: HttpError,
  names: FieldNames | undefined,
): readonly Problem[] {
  if (check !== 'body') return [{ message }];
  return message.split('; ').map((text): Problem => {
    const [, first = '', rest = '', what = ''] = /^(\w+)([.[][^:]*)?: (.+)$/.exec(text) ?? [];
    return what === ''
      ? { message: text }
      : { field: `${names?.theirs.get(first) ?? first}${rest}`, message: what };
  });
}

type Form = Exclude<Dialect['errors'], 'text'>;

interface Parts {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  readonly texts: readonly string[];
  readonly problems: readonly Problem[];
}

const forms: Readonly<Record<Form, (parts: Parts) => object>> = {
  message: ({ status, message }) => ({ statusCode: status, message }),
  messages: ({ status, title, texts }) => ({ statusCode: status, error: title, message: texts }),
  error: ({ message }) => ({ error: message }),
  'error.message': ({ status, message }) => ({ error: { code: status, message } }),
  detail: ({ message }) => ({ detail: message }),
  problem: ({ status, title, message }) => ({ type: 'about:blank', title, status, detail: message }),
  errors: ({ problems }) => ({ errors: problems }),
};

const waits: Readonly<Record<Dialect['headers']['rateLimit'], (wait: string, now: number) => string[]>> = {
  none: () => [],
  'retry-after': (wait) => ['Retry-After', wait],
  'ratelimit-reset': (wait) => ['RateLimit-Remaining', '0', 'RateLimit-Reset', wait],
  ratelimit: (wait) => ['RateLimit', `"default";r=0;t=${wait}`],
  'x-ratelimit-reset': (wait, now) => {
    const reset = Math.ceil(now / 1000) + Number(wait);
    return ['X-RateLimit-Remaining', '0', 'X-RateLimit-Reset', String(reset)];
  },
};
