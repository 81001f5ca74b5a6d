import { apiKeys } from '../../api/resources/api-key.js';
import { resources } from '../../api/resources/index.js';
import type { Subject } from '../../errors/errors.js';
import { redactedTarget } from '../../redaction/redact.js';

/** HTTP methods that a request may have. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** A request to the service. */
export interface ApiRequest {
  readonly method: Method;
  /** Path and query below the base URL, sent and signed byte for byte. */
  readonly target: string;
  /** Exactly these bytes are signed and sent. */
  readonly body?: Uint8Array | undefined;
  /** Value of `Content-Type`; sent if there is a body. */
  readonly contentType?: string | undefined;
  /** Override default headers, whatever their case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds, if less than the client's. */
  readonly deadline?: number | undefined;
  /** Aborts this call with its reason. If the request was sent, it may already have been carried out. */
  readonly signal?: AbortSignal | undefined;
}

/** The method and target of a failed request. */
export interface Called {
  readonly method: string;
  /** With the base path; values of unknown parameters are masked. */
  readonly target: string;
  /** Characters of the target as sent; default: as shown. */
  readonly length?: number | undefined;
}

export function calledAs(method: string, target: string): Called {
  return { method, target: redactedTarget(target), length: target.length };
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether it may change something: never repeat it once it may have arrived. */
export function isChanging({ method }: Called): boolean {
  return !readingMethods.has(method);
}

/** Whether the response may hold a secret shown only once (POST below `/api-keys`); errors must not quote it. */
export function mayShowSecret({ method, target }: Pick<Called, 'method' | 'target'>): boolean {
  const [path = ''] = target.split(/[?#]/);
  return method === 'POST' && decodePath(path).toLowerCase().split('/').includes(apiKeys.kind);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const inCollection = new RegExp(
  `^[^?]*/(${resources.map(({ kind }) => kind).join('|')})(?:/([\\w-]+))?/?(?:\\?|$)`,
);

/** Where to see whether a change was made. */
export function changedBy({ target }: Called): Subject {
  const found = inCollection.exec(target);
  const [collection, id] = [found?.[1], found?.[2]];
  return { what: 'resource', of: id === undefined ? collection : `${collection}/${id}` };
}
