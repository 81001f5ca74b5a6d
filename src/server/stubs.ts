import { UsageError } from '../errors/errors.js';
import { readPath } from '../text/base-url.js';
import type { Answer } from './http/answer.js';
import { type CheckedStub, checkStub, type Stub, sortQuery } from './stub.js';

/** A stub, and how often it has responded. */
export interface StubState extends Omit<Stub, 'body'> {
  readonly body?: string;
  readonly hits: number;
}

export interface ActiveStub extends CheckedStub {
  hits: number;
}

export function answerStub(stub: ActiveStub): Answer {
  stub.hits += 1;
  return { status: stub.status, headers: [...stub.headers].flat(), body: stub.body };
}

const maxStubs = 100;
const maxStubBytes = 1024 * 1024;

/** A stub for a path and query takes precedence over one for the path only. */
export class Stubs {
  readonly #atStart: readonly (string | Stub)[];
  #stubs: ActiveStub[] = [];

  constructor(stubs: readonly (string | Stub)[] = []) {
    this.#atStart = stubs;
    this.set(stubs);
  }

  get(): StubState[] {
    return this.#stubs.map(({ request, status, headers, body, hits }) => ({
      request,
      status,
      ...(headers.size > 0 && { headers: Object.fromEntries(headers) }),
      ...(body !== '' && { body }),
      hits,
    }));
  }

  /** Replaces all stubs or none. @throws UsageError if stubs are invalid, duplicate, too many or too large */
  set(stubs: readonly (string | Stub)[]): void {
    const checked = stubs.map(checkStub);
    requireStubRoom(checked);
    requireDistinct(checked);
    const sorted = [
      ...checked.filter(({ query }) => query !== undefined),
      ...checked.filter(({ query }) => query === undefined),
    ];
    this.#stubs = sorted.map((stub) => ({ ...stub, hits: 0 }));
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
    const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(target) ?? [];
    const sorted = sortQuery(query);
    const isFor = (stub: ActiveStub, asked: string) =>
      stub.method === asked && stub.path === path && (stub.query === undefined || stub.query === sorted);
    const found = this.#stubs.find((stub) => isFor(stub, method));
    if (found !== undefined || method !== 'HEAD') return found;
    return this.#stubs.find((stub) => isFor(stub, 'GET'));
  }
}

function requireStubRoom(stubs: readonly CheckedStub[]): void {
  if (stubs.length > maxStubs) {
    throw new UsageError(`${stubs.length} stubs, more than the limit of ${maxStubs}`);
  }
  const bytes = stubs.reduce((sum, stub) => sum + countStubBytes(stub), 0);
  if (bytes <= maxStubBytes) return;
  throw new UsageError(`stubs of ${bytes} bytes in total, more than the limit of ${maxStubBytes}`);
}

function countStubBytes({ body, headers }: CheckedStub): number {
  return [body, ...[...headers].flat()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function requireDistinct(stubs: readonly CheckedStub[]): void {
  const known = new Set<string>();
  for (const { method, path, query, request } of stubs) {
    const key = JSON.stringify([method, path, query]);
    if (known.has(key)) throw new UsageError(`stub ${JSON.stringify(request)}: duplicate stub`);
    known.add(key);
  }
}
