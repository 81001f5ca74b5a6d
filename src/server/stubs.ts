import { splitStubText, stubGrammar } from '../api/control/stub-text.js';
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

export interface ActiveStub extends Stub {
  readonly method: string;
  readonly path: string;
  /** Sorted. */
  readonly query: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  hits: number;
}

export function answerStub(stub: ActiveStub): Answer {
  stub.hits += 1;
  return { status: stub.status, headers: Object.entries(stub.headers).flat(), body: stub.body };
}

const maxStubs = 100;
const maxStubBytes = 1024 * 1024;

/** A stub for a path and query takes precedence over one for the path only. */
export class Stubs {
  readonly #atStart: readonly (string | Stub)[];
  #stubs: readonly ActiveStub[] = [];

  constructor(stubs: readonly (string | Stub)[] = []) {
    this.#atStart = stubs;
    this.set(stubs);
  }

  get(): StubState[] {
    return this.#stubs.map(({ request, status, headers, body, hits }) => ({
      ...{ request, status, hits },
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(body !== '' && { body }),
    }));
  }

  /** Replaces all stubs or none. @throws UsageError if stubs are invalid, duplicate, too many or too large */
  set(stubs: readonly (string | Stub)[]): void {
    const checked = stubs.map(checkStub);
    if (checked.length > maxStubs)
      throw new UsageError(`${checked.length} stubs, more than the limit of ${maxStubs}`);
    if (Buffer.byteLength(JSON.stringify(checked)) > maxStubBytes)
      throw new UsageError(`the stubs have more bytes than the limit of ${maxStubBytes}`);
    const seen = new Set<string>();
    for (const { method, path, query, request } of checked) {
      const key = JSON.stringify([method, path, query]);
      if (seen.has(key)) throw refusal(request, 'duplicate stub');
      seen.add(key);
    }
    this.#stubs = checked.toSorted(
      (one, other) => Number(one.query === undefined) - Number(other.query === undefined),
    );
  }

  clear(): void {
    this.#stubs = [];
  }

  reset(): void {
    this.set(this.#atStart);
  }

  /** HEAD also matches stubs for GET. */
  find(method: string, target: string): ActiveStub | undefined {
    if (this.#stubs.length === 0) return undefined;
    const path = readPath(target);
    const query = sortQuery(/^[^?#]*\?([^#]*)/.exec(target)?.[1] ?? '');
    const found = this.#stubs.find(
      (stub) =>
        stub.method === method && stub.path === path && (stub.query === undefined || stub.query === query),
    );
    return found === undefined && method === 'HEAD' ? this.find('GET', target) : found;
  }
}

const requestPattern = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) +((\/[^\s?#]*)(?:\?([^\s#]*))?)$/i;

/** Headers that only the server sets: framing, date and quota. */
const reservedHeaders =
  /^(?:connection|content-length|date|keep-alive|te|trailer|transfer-encoding|upgrade|x-quota-(?:limit|used|remaining))$/i;

/** @throws UsageError with the grammar as its hint */
function checkStub(stub: string | Stub): ActiveStub {
  const { request, status, headers = {}, body: value } = typeof stub === 'string' ? parseStub(stub) : stub;
  const [, word = '', target = '', path = '', query] = requestPattern.exec(request) ?? [];
  const method = word.toUpperCase();
  const body = typeof value === 'string' ? value : value === undefined ? '' : printJson(value);
  if (method === '') throw refusal(request, 'not a method and a path');
  if (path.includes('*'))
    throw refusal(request, '* stands for any text only in fault rules, and %2A for itself');
  if (!isServiceTarget(path)) throw refusal(request, 'the server reserves this path');
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw refusal(request, `${status} is not a status from 200 to 599`);
  if (body !== '' && (status === 204 || status === 304))
    throw refusal(request, `a response with status ${status} has no body`);
  const own = Object.entries(headers);
  if (!own.every(isHeader)) throw refusal(request, 'a header is invalid, or set by the server itself');
  const isTyped = body === '' || own.some(([name]) => name.toLowerCase() === 'content-type');
  const type = tryParseJson(body) === undefined ? 'text/plain' : 'application/json';
  return {
    ...{ request: `${method} ${target}`, method, status, body, hits: 0, path: readPath(path) },
    query: query === undefined ? undefined : sortQuery(query),
    headers: { ...(!isTyped && { 'Content-Type': `${type}; charset=utf-8` }), ...headers },
  };
}

function sortQuery(query: string): string {
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return parameters.toString();
}

function parseStub(text: string): Stub {
  const { request, status, rest } = splitStubText(text) ?? {};
  if (request === undefined || status === undefined) throw refusal(text, 'not a stub');
  if (rest === undefined || rest === '') return { request, status };
  if (tryParseJson(rest) === undefined) throw refusal(request, 'the text after the status is not JSON');
  return { request, status, body: rest };
}

function isHeader([name, value]: readonly [string, unknown]): boolean {
  const isName = /^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(name) && !reservedHeaders.test(name);
  return isName && typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

function refusal(text: string, why: string): UsageError {
  const shown = text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 100);
  return new UsageError(`stub ${JSON.stringify(shown)}: ${why}`, { hint: stubGrammar });
}
