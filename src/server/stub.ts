import { validateHeaderValue } from 'node:http';
import { explainStub, splitStubText, stubGrammar } from '../api/control/stub-text.js';
import { UsageError } from '../errors/errors.js';
import { readPath } from '../text/base-url.js';
import { printJson, tryParseJson } from '../text/exact-json.js';
import { isServiceTarget } from './http/url-space.js';

/** A canned response to requests with this method and path. */
export interface Stub {
  /** Method and path, such as `GET /connections`. A query, if given, must match too, in any order. */
  readonly request: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Text is sent as is, other values as JSON; absent for an empty body. */
  readonly body?: unknown;
}

export interface CheckedStub {
  readonly request: string;
  readonly method: string;
  readonly path: string;
  readonly query: string | undefined;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const stubMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Headers that only the server sets: framing, date and quota. */
const reservedHeaders =
  /^(?:connection|content-length|date|keep-alive|te|trailer|transfer-encoding|upgrade|x-quota-(?:limit|used|remaining))$/i;

/** @throws UsageError with the grammar as its hint */
export function checkStub(stub: string | Stub): CheckedStub {
  const { request, status, headers = {}, body } = typeof stub === 'string' ? parseStub(stub) : stub;
  const [, method = '', path = '', query] = /^([A-Za-z]+) +(\/[^\s?#]*)(?:\?([^\s#]*))?$/.exec(request) ?? [];
  if (method === '') throw refusal(request, 'not a method and a path');
  if (!stubMethods.includes(method.toUpperCase())) {
    throw refusal(request, `the method must be one of ${stubMethods.join(', ')}`);
  }
  if (path.includes('*'))
    throw refusal(request, '* stands for any text only in fault rules, and %2A for itself');
  if (!isServiceTarget(path)) throw refusal(request, 'the server reserves this path');
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw refusal(request, `${status} is not a status from 200 to 599`);
  }
  const text = body === undefined ? '' : typeof body === 'string' ? body : printJson(body);
  if (text !== '' && (status === 204 || status === 304))
    throw refusal(request, `a response with status ${status} has no body`);
  const checked = new Map(Object.entries(headers));
  for (const [name, value] of checked) requireHeader(request, name, value);
  const types = [...checked.keys()].some((name) => name.toLowerCase() === 'content-type');
  return {
    request: `${method.toUpperCase()} ${path}${query === undefined ? '' : `?${query}`}`,
    method: method.toUpperCase(),
    path: readPath(path),
    query: query === undefined ? undefined : sortQuery(query),
    status,
    headers: types || text === '' ? checked : new Map([['Content-Type', guessContentType(text)], ...checked]),
    body: text,
  };
}

export function sortQuery(query: string): string {
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return parameters.toString();
}

function parseStub(text: string): Stub {
  const { request, status, rest } = splitStubText(text) ?? {};
  if (request === undefined || status === undefined) throw refusal(text, explainStub(text));
  if (rest === undefined || rest === '') return { request, status };
  if (tryParseJson(rest) === undefined) throw refusal(request, 'the text after the status is not JSON');
  return { request, status, body: rest };
}

function requireHeader(request: string, name: string, value: unknown): void {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(name)) throw refusal(request, 'a header has an invalid name');
  if (reservedHeaders.test(name)) throw refusal(request, `the server sets the header ${name} itself`);
  try {
    if (typeof value !== 'string') throw new TypeError('not text');
    validateHeaderValue(name, value);
  } catch (error) {
    if (error instanceof TypeError) throw refusal(request, `the header ${name} must be one line of text`);
    throw error;
  }
}

function guessContentType(body: string): string {
  return `${tryParseJson(body) === undefined ? 'text/plain' : 'application/json'}; charset=utf-8`;
}

function refusal(text: string, why: string): UsageError {
  return new UsageError(`stub ${JSON.stringify(shortenStub(text))}: ${why}`, { hint: stubGrammar });
}

function shortenStub(text: string): string {
  const line = text.replaceAll(/\p{Cc}+/gu, ' ');
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}
