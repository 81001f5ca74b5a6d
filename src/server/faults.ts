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
    if (!isCutOff(asked)) return;
    asked.refusal = refuseBy(fault, 503);
    recordRequest(asked, undefined, service);
    service.listener.connections.cut(asked.request.socket, effect?.kind === 'reset');
  };
  const { ended } = service.listener.connections;
  return fault.delay === 0 ? void apply() : wait(asked, fault.delay, ended).then(apply);
}

/** Whether the request's fault has cut the connection already. */
export function isCutOff({ fault }: ServiceRequest): boolean {
  return fault?.effect?.kind === 'drop' || fault?.effect?.kind === 'reset';
}

/** Ends with the connection, which does not outlive the server's stop. */
function wait(
  { request: { socket } }: ServiceRequest,
  milliseconds: number,
  ended: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const cut = () => socket.destroy();
    const end = () => {
      clearTimeout(timer);
      socket.off('close', end);
      ended.removeEventListener('abort', cut);
    };
    const timer = setTimeout(() => {
      end();
      resolve();
    }, milliseconds);
    socket.on('close', end);
    ended.addEventListener('abort', cut);
  });
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
