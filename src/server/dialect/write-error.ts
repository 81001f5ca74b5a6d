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
  const [type, body] =
    errors === 'text'
      ? ['text/plain', `${message}\n`]
      : [
          errors === 'problem' ? 'application/problem+json' : 'application/json',
          JSON.stringify(toValue(errors, statusCode, texts, problems)),
        ];
  const { headers: own = [] } = cause;
  const others = statusCode === 429 ? askToWait(own, headers.rateLimit, now) : own;
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

function toValue(
  form: Exclude<Dialect['errors'], 'text'>,
  status: number,
  texts: readonly string[],
  problems: readonly Problem[],
): object {
  const title = STATUS_CODES[status] ?? 'Error';
  const message = texts.join('; ');
  switch (form) {
    case 'message':
      return { statusCode: status, message };
    case 'messages':
      return { statusCode: status, error: title, message: texts };
    case 'error':
      return { error: message };
    case 'error.message':
      return { error: { code: status, message } };
    case 'detail':
      return { detail: message };
    case 'problem':
      return { type: 'about:blank', title, status, detail: message };
    case 'errors':
      return { errors: problems };
  }
}

/** Replaces `Retry-After`, in seconds, with what the dialect has for it. */
function askToWait(
  headers: readonly string[],
  form: Dialect['headers']['rateLimit'],
  now: number,
): readonly string[] {
  const at = headers.indexOf('Retry-After');
  if (at === -1) return headers;
  const wait = headers[at + 1] ?? '';
  const others = headers.toSpliced(at, 2);
  switch (form) {
    case 'none':
      return others;
    case 'retry-after':
      return headers;
    case 'ratelimit-reset':
      return [...others, 'RateLimit-Remaining', '0', 'RateLimit-Reset', wait];
    case 'ratelimit':
      return [...others, 'RateLimit', `"default";r=0;t=${wait}`];
    case 'x-ratelimit-reset': {
      const reset = String(Math.ceil(now / 1000) + Number(wait));
      return [...others, 'X-RateLimit-Remaining', '0', 'X-RateLimit-Reset', reset];
    }
  }
}
