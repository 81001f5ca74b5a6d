import { STATUS_CODES } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Dialect } from '../../api/dialect/dialect.js';
import type { FieldNames } from '../../api/dialect/field-names.js';
import { type ErrorAnswer, writeError } from '../http/answer-error.js';
import type { HttpError } from '../http/http-error.js';

interface ProblemDetails {
  readonly field?: string;
  readonly message: string;
}

export interface ErrorWriting {
  readonly dialect: Dialect;
  readonly fieldsOf: (request: FastifyRequest) => FieldNames | undefined;
  readonly clock: () => number;
}

/** Writes errors in the dialect; the body for an exceeded quota is the same in all dialects. */
export function errorWriter({ dialect, fieldsOf, clock }: ErrorWriting) {
  return (refusal: HttpError, request: FastifyRequest): ErrorAnswer => {
    const known = writeError(refusal);
    if (refusal.refusal.check === 'quota') return known;
    const { status } = known;
    const problems = splitProblems(refusal, fieldsOf(request));
    const { type, body } = writeBody(dialect.errors, status, problems);
    const headers = { ...known.headers, 'content-type': `${type}; charset=utf-8` };
    return { status, body, headers: status === 429 ? askToWait(headers, dialect, clock()) : headers };
  };
}

function splitProblems(
  { message, refusal: { check } }: HttpError,
  names: FieldNames | undefined,
): readonly ProblemDetails[] {
  if (check !== 'body') return [{ message }];
  return message.split('; ').map((text): ProblemDetails => {
    const [, first = '', rest = '', what = ''] = /^(\w+)([.[][^:]*)?: (.+)$/.exec(text) ?? [];
    return what === ''
      ? { message: text }
      : { field: `${names?.theirs.get(first) ?? first}${rest}`, message: what };
  });
}

function writeBody(form: Dialect['errors'], status: number, problems: readonly ProblemDetails[]) {
  const texts = problems.map(({ field, message }) =>
    field === undefined ? message : `${field}: ${message}`,
  );
  const message = texts.join('; ');
  if (form === 'text') return { type: 'text/plain', body: `${message}\n` };
  const type = form === 'problem' ? 'application/problem+json' : 'application/json';
  return { type, body: JSON.stringify(toValue(form, { status, message, texts, problems })) };
}

interface Said {
  readonly status: number;
  readonly message: string;
  readonly texts: readonly string[];
  readonly problems: readonly ProblemDetails[];
}

function toValue(
  form: Exclude<Dialect['errors'], 'text'>,
  { status, message, texts, problems }: Said,
): object {
  const title = STATUS_CODES[status] ?? 'Error';
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
  { 'retry-after': wait, ...others }: Readonly<Record<string, string>>,
  { headers: { rateLimit } }: Dialect,
  now: number,
): Record<string, string> {
  if (wait === undefined || rateLimit === 'none') return others;
  switch (rateLimit) {
    case 'retry-after':
      return { ...others, 'retry-after': wait };
    case 'ratelimit-reset':
      return { ...others, 'ratelimit-remaining': '0', 'ratelimit-reset': wait };
    case 'ratelimit':
      return { ...others, ratelimit: `"default";r=0;t=${wait}` };
    case 'x-ratelimit-reset':
      return {
        ...others,
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.ceil(now / 1000) + Number(wait)),
      };
  }
}
