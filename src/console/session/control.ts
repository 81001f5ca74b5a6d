import { signal } from '@preact/signals';
import { addQuery, type CallName, controlPath, writeCall } from '../../api/control/calls.js';
import type { CallAnswer, CallArguments } from '../../api/control/control-answers.js';
import type { Envelope } from '../../api/schema/envelope.js';
import { endSession, session } from './session.js';

/** A failed call; `status` is 0 if there was no response. */
export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Whether the latest request got a response. */
export const isReachable = signal(true);

/** Counts changes by this page; what depends on it is loaded again. */
export const changes = signal(0);

/** A call of the control API without cookies. @throws ControlError unless the response is 2xx; a 401 also ends the session */
export async function requestControl(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  const state = session.peek();
  if (state.is === 'open') headers.set('authorization', `Bearer ${state.bearer}`);
  const sent = fetch(controlPath + path, { ...options, headers, cache: 'no-store', credentials: 'omit' });
  const response = await sent.catch(() => undefined);
  if (options.signal?.aborted !== true) isReachable.value = response !== undefined;
  if (response === undefined) throw new ControlError(0, 'The server does not respond.');
  if (response.ok) return response;
  if (response.status === 401) endSession('This session has ended. The server may have restarted.');
  const { message } = await response.json().catch(() => ({}));
  throw new ControlError(response.status, message ?? `The server responded with status ${response.status}.`);
}

async function requestJson(method: string, path: string, body?: object) {
  const headers = body && { 'content-type': 'application/json' };
  const response = await requestControl(path, {
    method,
    ...(body && { headers, body: JSON.stringify(body) }),
  });
  if (method !== 'GET') changes.value += 1;
  return response.status === 204 ? undefined : response.json();
}

/** Runs a call of the control API. @throws ControlError */
export function call<Name extends CallName>(
  name: Name,
  ...[input]: CallArguments<Name>
): Promise<CallAnswer<Name>> {
  const { method, target, body } = writeCall(name, input);
  return requestJson(method, target, body);
}

/** A resource other than a key, as the service returns it. */
export interface Item {
  readonly id: string;
  readonly name: string;
  readonly updated_at: string;
  readonly [field: string]: unknown;
}

/** The calls for one kind of resource, in an organization. */
export function itemCalls(kind: string, organization: string | undefined) {
  const pathTo = (id: string) => addQuery(`/${kind}/${encodeURIComponent(id)}`, { organization });
  return {
    list: (query: object): Promise<Envelope<Item>> =>
      requestJson('GET', addQuery(`/${kind}`, { organization, ...query })),
    create: (body: object): Promise<Item> =>
      requestJson('POST', addQuery(`/${kind}`, { organization }), body),
    update: (id: string, body: object): Promise<Item> => requestJson('PATCH', pathTo(id), body),
    delete: (id: string): Promise<void> => requestJson('DELETE', pathTo(id)),
  };
}
