import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { expect } from 'vitest';
import type { RunningServer } from '../../src/server/index.js';
import { basicAuthorization, type Credential, signedHeaders } from '../../src/signing/index.js';
import { notAsDescribed } from './api-description.js';

/** A request; what is left out is signed and sent as the reference describes. */
export interface Call {
  readonly auth?: 'hmac' | 'basic' | 'none';
  readonly credential?: Credential;
  /** `X-API-Timestamp`; default now. */
  readonly timestamp?: string;
  /** Sent as JSON unless it is text or bytes. */
  readonly body?: unknown;
  /** Default `application/json` when there is a body. */
  readonly contentType?: string;
  /** Added last: they can replace any other header, and `undefined` leaves one out. */
  readonly headers?: Record<string, string | undefined>;
  /** Sends the body in two chunks, without telling its length. */
  readonly chunked?: boolean;
}

/** An answer, with its body as text and, where it is JSON, as a value. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
}

/** What a caller has to know of a server. */
type Callable = Pick<RunningServer, 'url' | 'caFile' | 'keyId' | 'secret'>;

/**
 * Sends real requests to a real server, each over a connection of its own. Every exchange of a test is held against the
 * API's description.
 */
export class Caller {
  readonly #server: Callable;
  readonly #ca: Buffer | undefined;
  readonly #atFault: boolean;

  /** @param options.atFault answers are spoiled on purpose, and so not what the API's description says */
  constructor(server: Callable, { atFault = false } = {}) {
    this.#server = server;
    this.#atFault = atFault;
    this.#ca = server.caFile === undefined ? undefined : readFileSync(server.caFile);
  }

  /** The key that the server started with. */
  get credential(): Credential {
    return { keyId: this.#server.keyId, secret: this.#server.secret };
  }

  async send(method: string, target: string, call: Call = {}): Promise<Answer> {
    const body = bytesOf(call.body);
    const contentType = call.contentType ?? (body.length === 0 ? undefined : 'application/json');
    const all = {
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(call.chunked ? {} : { 'content-length': String(body.length) }),
      ...this.#authentication(method, target, call, contentType ?? '', body),
      ...call.headers,
    };
    const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    const answer = await this.#exchange(method, target, headers, call.chunked ? halves(body) : [body]);
    if (!this.#atFault) {
      expect(notAsDescribed({ ...answer, method, target, contentType, body })).toEqual([]);
    }
    return answer;
  }

  #authentication(method: string, target: string, call: Call, contentType: string, body: Buffer) {
    const { auth = 'hmac', credential = this.credential } = call;
    if (auth === 'none') return {};
    if (auth === 'basic') return { authorization: basicAuthorization(credential) };
    const timestamp = call.timestamp ?? String(Math.floor(Date.now() / 1000));
    return signedHeaders(credential, { method, target, timestamp, contentType, body });
  }

  #exchange(method: string, path: string, headers: object, chunks: Buffer[]): Promise<Answer> {
    const { protocol, hostname, port } = new URL(this.#server.url);
    const send = protocol === 'https:' ? secureRequest : plainRequest;
    const options = { method, path, headers, agent: false, hostname, port, ca: this.#ca } as const;
    return new Promise((resolve, reject) => {
      const request = send({ ...options, headers: { ...headers } }, (response) => {
        const received: Buffer[] = [];
        response.on('data', (chunk: Buffer) => received.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(received).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: jsonOf(text) });
        });
      });
      request.on('error', reject);
      for (const chunk of chunks) request.write(chunk);
      request.end();
    });
  }
}

/** The headers of mode B for a request without a body, signed now unless told otherwise. */
export function signedGet(
  credential: Credential,
  target: string,
  timestamp = String(Math.floor(Date.now() / 1000)),
): Record<string, string> {
  const body = Buffer.alloc(0);
  return { ...signedHeaders(credential, { method: 'GET', target, timestamp, contentType: '', body }) };
}

/** The quota headers of an answer, as `[limit, used, remaining]`. */
export function quotaHeadersOf({ headers }: Answer): unknown[] {
  return [headers['x-quota-limit'], headers['x-quota-used'], headers['x-quota-remaining']];
}

/** The value at a path of a JSON answer, such as `data.0.id`. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined),
      value,
    );
}

function bytesOf(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function halves(body: Buffer): Buffer[] {
  const middle = Math.ceil(body.length / 2);
  return [body.subarray(0, middle), body.subarray(middle)];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
