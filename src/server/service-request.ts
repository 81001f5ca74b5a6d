import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { Fault } from '../api/faults/faults.js';
import type { Quota } from '../api/quota.js';
import { claimedKeyId } from '../redaction/harmless.js';
import { readKeyIds } from '../signing/scheme.js';
import type { KeyCredential } from '../storage/api-keys.js';
import { readPath } from '../text/base-url.js';
import { type Answer, HttpError } from './http/answer.js';
import { announcesBody, type ReceivedBody } from './http/body.js';
import type { FoundRoute, Targets } from './http/url-space.js';
import type { ServiceCall } from './routes/resources.js';
import type { Service } from './service.js';
import type { ActiveStub } from './stubs.js';

/** A request to the service, and what is known of it so far. */
export class ServiceRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** As received. */
  readonly target: string;
  /** The target that signatures cover. */
  readonly signed: string;
  /** The target without the dialect's base path. */
  readonly local: string;
  /** The decoded path of `local`. */
  readonly path: string;
  readonly arrivedAt = performance.now();
  fault: Fault | undefined;
  body: ReceivedBody | undefined;
  /** The organization of the key that the request names, even if its signature is wrong. */
  organizationId: string | undefined;
  /** Set once the request is authenticated. */
  key: KeyCredential | undefined;
  stub: ActiveStub | undefined;
  call: FoundRoute<ServiceCall> | undefined;
  refusal: HttpError | undefined;
  /** The quota that a created resource was counted in. */
  quota: Quota | undefined;

  constructor(response: ServerResponse, { toLocal, toSigned }: Targets) {
    const { method = '', url = '/' } = response.req;
    this.request = response.req;
    this.response = response;
    this.method = method;
    this.target = url;
    this.signed = toSigned(url);
    this.local = toLocal(url);
    this.path = /[?#%]/.test(this.local) ? readPath(this.local) : this.local;
  }
}

export function recordRequest(asked: ServiceRequest, answer: Answer | undefined, service: Service): void {
  const { request, method, target, key, body, refusal } = asked;
  const isUnread = body === 'too large' || (body === undefined && announcesBody(request));
  service.record(
    {
      time: service.clock(),
      method,
      target,
      status: answer?.status,
      milliseconds: Math.round((performance.now() - asked.arrivedAt) * 10) / 10,
      keyId: key?.keyId ?? claimedKeyId(readKeyIds({ method, target, headers: request.headers })[0]),
      organization: key?.organizationId,
      fault: asked.fault?.rule,
      stub: asked.stub?.request,
      rawHeaders: request.rawHeaders,
      body: body === 'too large' ? undefined : body,
      unreadBytes: isUnread ? Number(request.headers['content-length'] ?? 0) : undefined,
      response: answer && {
        rawHeaders: answer.headers,
        body: answer.body instanceof Readable ? undefined : answer.body,
      },
    },
    refusal,
  );
}

/**
 * Applies a request's fault before the service sees it, as a flaky network would. Returns a promise only for a delay.
 * @throws HttpError if the fault is a status
 */
export function applyFault(asked: ServiceRequest, service: Service): Promise<void> | undefined {
  const { socket } = asked.request;
  const { connections } = service.listener;
  const fault = service.faults.next(asked.method, asked.local);
  asked.fault = fault;
  const apply = () => {
    const effect = fault?.effect;
    if (fault === undefined || effect === undefined || socket.destroyed) return;
    if (effect.kind === 'status') throw refuseBy(fault, effect.status, effect.retryAfter);
    if (effect.kind !== 'drop' && effect.kind !== 'reset') return;
    asked.refusal = refuseBy(fault, 503);
    recordRequest(asked, undefined, service);
    connections.cut(socket, effect.kind === 'reset');
  };
  if (fault === undefined || fault.delay === 0) return void apply();
  return setTimeout(fault.delay, undefined, { signal: connections.lifetimeOf(asked.response) })
    .catch(() => socket.destroy())
    .then(apply);
}

/** Whether the fault or the client has closed the connection. */
export function isCutOff({ fault, request }: ServiceRequest): boolean {
  return fault?.effect?.kind === 'drop' || fault?.effect?.kind === 'reset' || request.socket.destroyed;
}

function refuseBy({ rule }: Fault, status: number, retryAfter?: number): HttpError {
  return new HttpError(status, undefined, {
    check: 'fault',
    explain: () => ({ reason: `a fault rule applied: ${rule}` }),
    headers: retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)],
  });
}

/** Cuts the connection before or within the response, if the fault says so; returns whether it did. */
export function spoil(
  { fault, method, response }: ServiceRequest,
  { status, headers, body }: Answer,
): boolean {
  const kind = fault?.effect?.kind;
  if (kind === 'drop-answer') {
    response.destroy();
    return true;
  }
  if (kind !== 'truncate' || method === 'HEAD' || typeof body !== 'string' || body === '') return false;
  const bytes = Buffer.from(body);
  response.writeHead(status, headers);
  response.write(bytes.subarray(0, Math.floor(bytes.byteLength / 2)), () => response.destroy());
  return true;
}
