import { resources } from '../contract/resources/index.js';
import { redactedTarget } from '../redaction/redact.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** One call of the service. */
export interface ApiRequest {
  readonly method: Method;
  /** Path and query below the base URL, sent and signed byte for byte. */
  readonly target: string;
  /** Exactly these bytes are signed and sent. */
  readonly body?: Uint8Array | undefined;
  /** Value of `Content-Type`; sent when there is a body. */
  readonly contentType?: string | undefined;
  /** Further headers; they replace those that are sent by default, in whatever case they are written. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds that this call may take, where less is left than the transport allows: it is one of several. */
  readonly deadline?: number | undefined;
  /**
   * Ends this call alone, whose reason is then thrown: what was not sent yet is not sent any more, and what was sent may
   * have been carried out.
   */
  readonly signal?: AbortSignal | undefined;
}

/** A request as errors speak of it. */
export interface Called {
  readonly method: string;
  /** Path and query, the base path included; values of unknown parameters are masked. */
  readonly target: string;
}

/** A request, fit for an error message. */
export function calledAs(method: string, target: string): Called {
  return { method, target: redactedTarget(target) };
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request may change something, so that it must not be repeated once it may have arrived. */
export function isChanging({ method }: Called): boolean {
  return !readingMethods.has(method);
}

const inCollection = new RegExp(`/(${resources.map(({ kind }) => kind).join('|')})(?:/([\\w-]+))?/?$`);

/** The command that shows what was sent where, and which setting says so. */
export const whoami = ['orgctl', 'whoami'] as const;

/** The command that shows whether a change was made, for {@link import('../errors.js').advise}. */
export function lookingCommand({ target }: Called): readonly string[] {
  const [path = ''] = target.split('?', 1);
  const [, collection, id] = inCollection.exec(path) ?? [];
  if (collection === undefined) return ['orgctl', 'quotas'];
  return id === undefined ? ['orgctl', collection, 'list', '--all'] : ['orgctl', collection, 'get', id];
}
