import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Fault } from '../api/faults/faults.js';
import { type Answer, HttpError } from './http/answer.js';
import type { Service } from './service.js';
import { recordRequest, type ServiceRequest } from './service-request.js';

/**
 * Applies a request's fault before the service sees it, as a flaky network would. Returns a promise only for a delay.
 * @throws HttpError if the fault is a status
 */
export function applyFault(asked: ServiceRequest, service: Service): Promise<void> | undefined {
  const fault = service.faults.next(asked.method, asked.local);
  if (fault === undefined) return undefined;
  asked.fault = fault;
  const apply = () => {
    const { effect } = fault;
    if (effect?.kind === 'status') throw refuseBy(fault, effect.status, effect.retryAfter);
    if (effect?.kind !== 'drop' && effect?.kind !== 'reset') return;
    asked.refusal = refuseBy(fault, 503);
    recordRequest(asked, undefined, service);
    service.listener.connections.cut(asked.request.socket, effect?.kind === 'reset');
  };
  const { ended } = service.listener.connections;
  if (fault.delay === 0) return void apply();
  const { socket } = asked.request;
  return wait(socket, fault.delay, ended).then(() => (socket.destroyed ? undefined : apply()));
}

/** Whether the connection is cut already, by the request's fault or by its client. */
export function isCutOff({ fault, request }: ServiceRequest): boolean {
  return fault?.effect?.kind === 'drop' || fault?.effect?.kind === 'reset' || request.socket.destroyed;
}

/** Ends with the connection, which does not outlive the server's stop. */
async function wait(socket: Socket, milliseconds: number, ended: AbortSignal): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  socket.once('close', leave);
  const signal = AbortSignal.any([ended, gone.signal]);
  await setTimeout(milliseconds, undefined, { signal }).catch(() => socket.destroy());
  socket.off('close', leave);
}

function refuseBy({ rule }: Fault, status: number, retryAfter?: number): HttpError {
  return new HttpError(status, undefined, {
    check: 'fault',
    explain: () => ({ reason: `a fault rule applied: ${rule}` }),
    headers: retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)],
  });
}

/** Cuts the connection before a response or in the middle of its body, if the request's fault says so. */
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
