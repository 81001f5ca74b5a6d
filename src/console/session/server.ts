import { computed, signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { addQuery, type CallName, controlPath, writeCall } from '../../api/control/calls.js';
import type { CallAnswer, CallArguments, StatusAnswer } from '../../api/control/control-answers.js';
import type { Envelope } from '../../api/schema/envelope.js';
import { chosenOrganization } from './route.js';
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

/** Counts changes by this page: a new number makes views load again. */
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
  const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
  const response = await requestControl(path, { method, headers, body: JSON.stringify(body) });
  if (method !== 'GET') changes.value += 1;
  return response.status === 204 ? undefined : response.json();
}

/** @throws ControlError */
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

/** Data from the server. The old value stays during a reload, so that nothing jumps. */
export interface Loaded<Value> {
  /** `undefined` until the first successful load. */
  readonly value?: Value | undefined;
  readonly error?: ControlError | undefined;
  reload(): Promise<void>;
}

/** Milliseconds between loads of data that changes by itself. */
const liveInterval = 3000;

/** Loads, and again when a value of `of` changes or the page becomes visible; every 3 seconds if `isLive`. */
export function useLoaded<Value>(
  load: () => Promise<Value>,
  of: readonly unknown[],
  isLive = false,
): Loaded<Value> {
  const [loaded, setLoaded] = useState<Omit<Loaded<Value>, 'reload'>>({});
  const last = useRef(0);
  const reload = async () => {
    last.current += 1;
    const asked = last.current;
    const set = (next: typeof loaded) => {
      if (asked === last.current) setLoaded(({ value }) => ({ value, ...next }));
    };
    await load().then(
      (value) => set({ value }),
      (error) => set({ error: error instanceof ControlError ? error : new ControlError(0, String(error)) }),
    );
  };
  useEffect(() => {
    void reload();
    const again = () => void (document.hidden || reload());
    const timer = isLive ? setInterval(again, liveInterval) : undefined;
    document.addEventListener('visibilitychange', again);
    return () => {
      last.current += 1;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, of);
  return { ...loaded, reload };
}

export const status = signal<StatusAnswer | undefined>(undefined);

/** Whether a proxy serves this page, so that it shows only requests. */
export const isProxy = computed(() => status.value?.upstream !== undefined);

export const organizations = signal<CallAnswer<'organizations.list'>['organizations']>([]);

export const organization = computed(
  () => organizations.value.find(({ id }) => id === chosenOrganization.value) ?? organizations.value[0],
);

/** Loads status and organizations. @throws ControlError */
export async function refreshStatus(): Promise<StatusAnswer> {
  const known = await call('status.get');
  if (known.upstream === undefined) organizations.value = (await call('organizations.list')).organizations;
  status.value = known;
  now.value = Date.now() + known.clock.offset;
  return known;
}

/** Milliseconds since the epoch, by the server's clock, which tests can change. */
export const now = signal(Date.now());

setInterval(() => {
  if (!document.hidden) now.value = Date.now() + (status.peek()?.clock.offset ?? 0);
}, 1000);
