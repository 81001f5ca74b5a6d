import { apiKeys } from '../../api/resources/api-key.js';
import { resources } from '../../api/resources/index.js';
import { redactedTarget } from '../../redaction/redact.js';
import { readPath } from '../../text/base-url.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** A request to the service. */
export interface ApiRequest {
  readonly method: Method;
  /** Path and query below the base URL, sent as they are. */
  readonly target: string;
  /** Exactly these bytes are signed and sent. */
  readonly body?: Uint8Array | undefined;
  /** Sent only if there is a body. */
  readonly contentType?: string | undefined;
  /** Replace default headers of the same name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds for all attempts and waits, if less than the client's `deadline`. */
  readonly deadline?: number | undefined;
  /** Aborts this call. A request already sent may have been carried out. */
  readonly signal?: AbortSignal | undefined;
}

export interface Called {
  readonly method: string;
  /** Path and query, with the base path, without values that may be secret. */
  readonly target: string;
}

export function calledAs(method: string, target: string): Called {
  return { method, target: redactedTarget(target) };
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request may change something, and so must not be repeated while its outcome is unknown. */
export function isChanging({ method }: Called): boolean {
  return !readingMethods.has(method);
}

/** The advice if a change may have been made, or may still be made. */
export const checkFirst = {
  hint: 'before you repeat it, check now and a minute later whether it was carried out',
} as const;

/** Headers from which some services read the method, instead of from the request line. */
const overriding = /^x-(?:http-method|http-method-override|method-override)$/;

/** The first header that may turn a request into a change. CGI treats `_` like `-`. */
export function findMethodOverride(headerNames: readonly string[]): string | undefined {
  return headerNames.find((name) => overriding.test(name.toLowerCase().replaceAll('_', '-')));
}

/** Whether the response may hold a secret shown only once, so that errors must not quote it. */
export function mayShowSecret({ method, target }: Called): boolean {
  return method === 'POST' && readPath(target).toLowerCase().split('/').includes(apiKeys.kind);
}

const inCollection = new RegExp(
  `^[^?]*/(${resources.map(({ kind }) => kind).join('|')})(?:/([^/?*]+))?/?(?:\\?|$)`,
);

/** The kind of resource in a request's path, and the ID if it has one. */
export function changedBy({ target }: Called): { readonly kind?: string; readonly id?: string } {
  const [, kind, id] = inCollection.exec(target) ?? [];
  return { ...(kind !== undefined && { kind }), ...(id !== undefined && { id: readPath(id) }) };
}
