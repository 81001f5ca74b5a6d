import { STATUS_CODES } from 'node:http';
import type { Dialect } from '../../api/dialect/dialect.js';
import type { FieldNames } from '../../api/dialect/field-names.js';
import { type Answer, errorAnswer, type HttpError } from '../http/answer.js';

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
  const { statusCode: status, refusal: cause } = refusal;
  if (cause.check === 'quota') return errorAnswer(refusal);
  const { headers: own = [] } = cause;
  const [name, wait = ''] = own;
  const others = status === 429 && name === 'Retry-After' ? waits[headers.rateLimit](wait, now) : own;
  const type = errors === 'text' ? 'text/plain' : `application/${errors === 'problem' ? 'problem+' : ''}json`;
  const body = writeBody(errors, status, splitProblems(refusal, fields));
  return { status, headers: ['Content-Type', `${type}; charset=utf-8`, ...others], body };
}

function splitProblems(
  { message, refusal: { check } }: HttpError,
  names: FieldNames | undefined,
): readonly Problem[] {
  if (check !== 'body') return [{ message }];
  return message.split('; ').map((text) => {
    const [, first = '', rest = '', what = ''] = /^(\w+)([.[][^:]*)?: (.+)$/.exec(text) ?? [];
    if (what === '') return { message: text };
    return { field: `${names?.theirs.get(first) ?? first}${rest}`, message: what };
  });
}

function writeBody(form: Dialect['errors'], status: number, problems: readonly Problem[]): string {
  const texts = problems.map(({ field, message }) => (field === undefined ? '' : `${field}: `) + message);
  const message = texts.join('; ');
  const title = STATUS_CODES[status] ?? 'Error';
  if (form === 'text') return `${message}\n`;
  const forms: Readonly<Record<typeof form, object>> = {
    message: { statusCode: status, message },
    messages: { statusCode: status, error: title, message: texts },
    error: { error: message },
    'error.message': { error: { code: status, message } },
    detail: { detail: message },
    problem: { type: 'about:blank', title, status, detail: message },
    errors: { errors: problems },
  };
  return JSON.stringify(forms[form]);
}

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
