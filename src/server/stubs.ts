import { splitStubText, stubGrammar } from '../api/control/stub-text.js';
import { headerNamePattern } from '../api/dialect/dialect.js';
import { UsageError } from '../errors/errors.js';
import { readPath } from '../text/base-url.js';
import { printJson, tryParseJson } from '../text/exact-json.js';
import type { Answer } from './http/answer.js';
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

/** A stub, and how often it has responded. */
export interface StubState extends Omit<Stub, 'body'> {
  readonly body?: string;
  readonly hits: number;
}

export interface ActiveStub {
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  hits: number;
}

export function answerStub(stub: ActiveStub): Answer {
  stub.hits += 1;
  return { status: stub.status, headers: Object.entries(stub.headers).flat(), body: stub.body };
}

/** A stub for a path and query takes precedence over one for the path only. */
export function openStubs(atStart: readonly (string | Stub)[] = []) {
  /** Keyed by method, path and the query's parameters. */
  let active = new Map(atStart.map(checkStub));
  /** HEAD also matches stubs for GET. */
  const find = (method: string, target: string): ActiveStub | undefined => {
    if (active.size === 0) return undefined;
    const path = readPath(target);
    const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(target) ?? [];
    const found = active.get(keyOf(method, path, query)) ?? active.get(keyOf(method, path, undefined));
    return found === undefined && method === 'HEAD' ? find('GET', target) : found;
  };
  return {
    find,
    get: (): StubState[] =>
      [...active.values()].map(({ request, status, headers, body, hits }) => ({
        ...{ request, status, hits },
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(body !== '' && { body }),
      })),
    /** Replaces all stubs or none; of two for one request, the last counts. @throws UsageError if one is invalid */
    set(stubs: readonly (string | Stub)[]): void {
      active = new Map(stubs.map(checkStub));
    },
    reset(): void {
      active = new Map(atStart.map(checkStub));
    },
  };
}

function keyOf(method: string, path: string, query: string | undefined): string {
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return JSON.stringify([method, path, query === undefined ? null : String(parameters)]);
}

const requestPattern = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) +((\/[^\s?#]*)(?:\?([^\s#]*))?)$/i;

/** Headers that only the server sets. */
const reservedHeaders =
  /^(?:connection|content-length|date|keep-alive|te|trailer|transfer-encoding|upgrade|x-quota-(?:limit|used|remaining))$/i;

/** Returns a stub's key in `active`, and the stub. @throws UsageError with the grammar as its hint */
function checkStub(given: string | Stub): readonly [string, ActiveStub] {
  const stub = typeof given === 'string' ? parseStub(given) : given;
  const { request, status, headers: own = {}, body: value } = stub;
  const [, word = '', target = '', path = '', query] = requestPattern.exec(request) ?? [];
  const method = word.toUpperCase();
  const body = typeof value === 'string' ? value : value === undefined ? '' : printJson(value);
  if (method === '') throw refusal(request, 'not a method and a path');
  if (!isServiceTarget(path)) throw refusal(request, 'the server reserves this path');
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw refusal(request, `${status} is not a status from 200 to 599`);
  if (!Object.entries(own).every(isHeader))
    throw refusal(request, 'a header is invalid, or set by the server itself');
  const isTyped = body === '' || Object.keys(own).some((name) => name.toLowerCase() === 'content-type');
  const type = tryParseJson(body) === undefined ? 'text/plain' : 'application/json';
  const headers = { ...(!isTyped && { 'Content-Type': `${type}; charset=utf-8` }), ...own };
  const key = keyOf(method, readPath(path), query);
  return [key, { request: `${method} ${target}`, status, headers, body, hits: 0 }];
}

function parseStub(text: string): Stub {
  const { request, status, rest = '' } = splitStubText(text) ?? {};
  if (request === undefined || status === undefined) throw refusal(text, 'not a stub');
  if (rest === '') return { request, status };
  if (tryParseJson(rest) === undefined) throw refusal(request, 'the text after the status is not JSON');
  return { request, status, body: rest };
}

function isHeader([name, value]: readonly [string, unknown]): boolean {
  const isName = headerNamePattern.test(name) && !reservedHeaders.test(name);
  return isName && typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

function refusal(text: string, why: string): UsageError {
  return new UsageError(`stub ${JSON.stringify(text.slice(0, 100))}: ${why}`, { hint: stubGrammar });
}
