import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { emptyEnvironment } from './run-cli.js';

export interface ForeignAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, other values as JSON. */
  readonly body?: unknown;
}

/** A request for a page of a list. */
export interface PageAsked {
  readonly query: URLSearchParams;
  readonly path: string;
  readonly origin: string;
  /** Number of the request, from 0, among all requests. */
  readonly nth: number;
}

/** How a service responds. Calls that are not given get 404, except changes. */
export interface ForeignForms {
  readonly list?: (asked: PageAsked) => ForeignAnswer;
  readonly get?: (id: string) => ForeignAnswer;
  readonly create?: (body: unknown) => ForeignAnswer;
  /** PATCH and DELETE; default: 204. */
  readonly change?: (method: string, id: string) => ForeignAnswer;
  readonly quotas?: ForeignAnswer;
}

export interface ForeignService {
  readonly origin: string;
  /** Such as `GET /connections?page=2`. */
  readonly calls: readonly string[];
  readonly env: Record<string, string>;
}

/** A service whose responses may have any form, over plain HTTP on loopback. It ends with the test. */
export async function foreignService(forms: ForeignForms): Promise<ForeignService> {
  const calls: string[] = [];
  let origin = '';
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    const url = new URL(request.url ?? '', origin);
    calls.push(`${request.method} ${url.pathname}${url.search}`);
    void answer(request, url, forms, calls).then((made) => write(response, made));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const credential = { ORGCTL_KEY_ID: 'key_test', ORGCTL_SECRET: 's'.repeat(64) };
  return { origin, calls, env: { ...emptyEnvironment(), ...credential, ORGCTL_BASE_URL: origin } };
}

async function answer(
  request: IncomingMessage,
  { pathname: path, searchParams: query, origin }: URL,
  forms: ForeignForms,
  calls: readonly string[],
): Promise<ForeignAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const [, kind = '', id] = path.split('/');
  const none = { status: 404, body: { detail: 'no such path' } };
  if (kind === 'quotas') return forms.quotas ?? none;
  if (request.method === 'POST') return forms.create?.(JSON.parse(Buffer.concat(chunks).toString())) ?? none;
  if (request.method !== 'GET') return forms.change?.(request.method ?? '', id ?? '') ?? { status: 204 };
  if (id !== undefined) return forms.get?.(id) ?? none;
  return forms.list?.({ query, path, origin, nth: calls.length - 1 }) ?? none;
}

function write(response: ServerResponse, { status = 200, headers = {}, body }: ForeignAnswer): void {
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  response.writeHead(status, { ...(body !== undefined && { 'Content-Type': type }), ...headers });
  response.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
}

export function foreignRows(count: number): readonly { readonly id: string; readonly name: string }[] {
  return Array.from({ length: count }, (_, at) => ({ id: `conn_${at}`, name: `name-${at}` }));
}

export interface Numbering {
  /** The number of the first page; default: 1. */
  readonly first?: 0 | 1;
  /** Maximum number of rows in a page; default: 100. */
  readonly most?: number;
  /** Names of the query parameters for number and size; default: `page` and `limit`. */
  readonly parameter?: string;
  readonly size?: string;
}

/** The page of `rows` that a query requests by its number. */
export function numberedPage<Row>(
  { query }: Pick<PageAsked, 'query'>,
  rows: readonly Row[],
  { first = 1, most = 100, parameter = 'page', size = 'limit' }: Numbering = {},
) {
  const limit = Math.min(most, Number(query.get(size) ?? 20));
  const page = Number(query.get(parameter) ?? first);
  const at = (page - first) * limit;
  const pages = Math.ceil(rows.length / limit);
  return { items: rows.slice(at, at + limit), page, limit, total: rows.length, pages };
}
