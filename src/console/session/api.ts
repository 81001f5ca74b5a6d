import { signal } from '@preact/signals';
import type { CallAnswer, CallArguments, CallInput } from '../../api/control/call-types.js';
import { addQuery, type CallName, controlPath, writeCall } from '../../api/control/calls.js';
import type { StubInput } from '../../api/control/control.js';
import type { Envelope } from '../../api/schema/envelope.js';
import type { ApiDocument } from './api-document.js';
import { endSession, session } from './session.js';

/** A failed call; `status` is 0 if there was no response. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Whether the latest call got a response; if not, the page may show old data. */
export const isReachable = signal(true);

/** Sends the session's bearer token and no cookies. */
export function fetchAuthorized(
  path: string,
  headers: Headers,
  options: RequestInit = {},
): Promise<Response> {
  const state = session.peek();
  if (state.is === 'open') headers.set('authorization', `Bearer ${state.bearer}`);
  return fetch(path, { ...options, headers, cache: 'no-store', credentials: 'omit' });
}

/** Calls the control API. @throws ApiError if there is no 2xx response; a 401 also ends the session */
function call<Name extends CallName>(name: Name, ...[input]: CallArguments<Name>): Promise<CallAnswer<Name>> {
  const { method, target, body } = writeCall(name, input);
  return read(sendCall(method, controlPath + target, body));
}

/** Omits what is empty, as in a field of the page. */
export function toPath(path: string, fields: object): string {
  const filled = Object.entries(fields).filter(([, value]) => value !== '');
  return controlPath + addQuery(path, Object.fromEntries(filled));
}

async function read<Answer>(sent: Promise<Response>): Promise<Answer> {
  const answer = await sent;
  if (answer.status === 204) return undefined as Answer;
  if (!answer.ok) throw await readRefusal(answer);
  return answer.json();
}

async function sendCall(method: string, path: string, body?: object): Promise<Response> {
  try {
    const headers = new Headers(body && { 'content-type': 'application/json' });
    const answer = await fetchAuthorized(path, headers, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    isReachable.value = true;
    return answer;
  } catch {
    isReachable.value = false;
    throw new ApiError(0, 'The server does not respond.');
  }
}

/** The error of a response; a 401 with a JSON body also ends the session. */
export async function readRefusal(answer: Response): Promise<ApiError> {
  const text = await answer.text();
  try {
    const { message }: { message: string } = JSON.parse(text);
    if (answer.status === 401) endSession('This session has ended; the server may have restarted.');
    return new ApiError(answer.status, message);
  } catch {
    return new ApiError(answer.status, `The server answered ${answer.status}.`);
  }
}

export type OrganizationItem = CallAnswer<'organizations.list'>['organizations'][number];
export type SnapshotItem = CallAnswer<'data.snapshots'>['snapshots'][number];
export type FreshKey = CallAnswer<'keys.issue'>;

/** A resource other than a key, as the service returns it. */
export interface Item {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ConnectionItem extends Item {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface ItemsPage {
  readonly organization: string | undefined;
  readonly page: number;
  readonly limit: number;
  readonly search: string | undefined;
}

export const api = {
  /** The service's OpenAPI document, which the console serves as a file. */
  document: () => read<ApiDocument>(sendCall('GET', '/openapi.json')),
  status: () => call('status.get'),
  organizations: async () => (await call('organizations.list')).organizations,
  quotas: {
    set: (limits: Record<string, number>, organization: string | undefined) =>
      call('quotas.set', { limits, organization }),
  },
  keys: {
    list: async (organization?: string) =>
      (await call('keys.list', { organization: organization || undefined })).keys,
    issue: (key: { name: string | undefined; organization: string | undefined }) => call('keys.issue', key),
    enable: (id: string) => call('keys.enable', { id }),
    disable: (id: string) => call('keys.disable', { id }),
    rename: (id: string, name: string) => call('keys.rename', { id, name }),
    revoke: (id: string) => call('keys.revoke', { id }),
    store: (name: string, { id, secret }: FreshKey) => call('profiles.save', { name, keyId: id, secret }),
  },
  clock: {
    set: (time: string) => call('clock.set', { time }),
    advance: (by: string | number) => call('clock.advance', { by }),
  },
  faults: {
    set: (rules: readonly string[]) => call('faults.set', { rules: [...rules] }),
    clear: () => call('faults.clear'),
  },
  stubs: {
    /** In the form that `set` accepts. */
    get: async (): Promise<StubInput[]> => {
      const { stubs } = await call('stubs.get');
      return stubs.map(({ request, status, headers, body }) => ({ request, status, headers, body }));
    },
    set: (stubs: readonly (string | StubInput)[]) => call('stubs.set', { stubs: [...stubs] }),
  },
  rateLimit: {
    set: (requests: number, window: string) => call('rateLimit.set', { requests, window }),
    clear: () => call('rateLimit.clear'),
  },
  data: {
    snapshots: async () => (await call('data.snapshots')).snapshots,
    take: async () => (await call('data.snapshot')).snapshot,
    restore: (snapshot: string) => call('data.restore', { snapshot }),
    reset: () => call('data.reset'),
  },
  journal: {
    get: (id: number) => call('journal.get', { id }),
    clear: () => call('journal.clear'),
  },
  send: (request: CallInput<'requests.send'>) => call('requests.send', request),
};

/** The service's calls for a kind of resource, in any organization. */
export function makeItemCalls<Kind extends Item>(kind: string) {
  const one = (id: string) => `/${kind}/${encodeURIComponent(id)}`;
  return {
    list: (page: ItemsPage) => read<Envelope<Kind>>(sendCall('GET', toPath(`/${kind}`, page))),
    create: (body: object, organization: string | undefined) =>
      read<Kind>(sendCall('POST', toPath(`/${kind}`, { organization }), body)),
    update: (id: string, body: object, organization: string | undefined) =>
      read<Kind>(sendCall('PATCH', toPath(one(id), { organization }), body)),
    delete: (id: string, organization: string | undefined) =>
      read<undefined>(sendCall('DELETE', toPath(one(id), { organization }))),
  };
}
