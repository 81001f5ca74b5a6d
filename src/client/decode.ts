import { describeIssues, type z } from '../contract/schema.js';
import { ServiceError } from '../errors.js';
import type { Answer, Called } from './exchange.js';

/** The value that a body holds as JSON; `undefined` when it is not JSON in UTF-8. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // Not JSON is an answer like any other here: callers decide what it means and quote its first line.
    return undefined;
  }
}

/** The first line of a body that was not understood, short enough for an error message. */
export function firstLine(body: Buffer): string {
  const line = body.subarray(0, 1024).toString('utf8').trim().split(/\r?\n/, 1)[0] ?? '';
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}

/**
 * Reads an answer through its schema.
 *
 * @throws ServiceError `server` when the body is not JSON or not of the shape that the reference describes
 */
export function decode<Schema extends z.ZodMiniType>(
  answer: Answer,
  schema: Schema,
  called: Called,
): z.infer<Schema> {
  const value = parseJson(answer.body);
  if (value === undefined) throw unexpected(answer, called, `not JSON: ${quoted(answer.body)}`);
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw unexpected(answer, called, `of another shape: ${describeIssues(parsed.error)}`);
  return parsed.data;
}

function quoted(body: Buffer): string {
  const line = firstLine(body);
  return line === '' ? 'the body is empty' : JSON.stringify(line);
}

function unexpected(answer: Answer, called: Called, what: string): ServiceError {
  return new ServiceError(
    'server',
    `${called.method} ${called.target} was answered ${answer.status} with a body that is ${what}`,
    {
      status: answer.status,
      method: called.method,
      path: called.target,
      retryable: false,
      hint: 'check that --base-url is the address of the service, its base path included',
    },
  );
}
