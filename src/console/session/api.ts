import { signal } from '@preact/signals';
import type { CallAnswers, CallArguments, ControlCallName } from '../../api/control/call-types.js';
import { controlCalls, controlPath, type TargetParts, writeTarget } from '../../api/control/calls.js';
import type { requestToSendSchema, StubInput, signatureCheckSchema } from '../../api/control/control.js';
import type { Envelope } from '../../api/schema/envelope.js';
import type { z } from '../../api/schema/schema.js';
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

interface Given extends TargetParts {
  readonly body?: object;
}

/** Path of a control API call; omits empty query parameters. */
export function toPath(name: ControlCallName, { params, query = {} }: TargetParts = {}): string {
  const filled = Object.entries(query).filter(([, value]) => value !== '');
  return controlPath + writeTarget(controlCalls[name], { params, query: Object.fromEntries(filled) });
}

/** Calls the control API. @throws ApiError if there is no 2xx response; a 401 also ends the session */
function callControl<Name extends ControlCallName>(
  name: Name,
  ...[given]: CallArguments[Name]
): Promise<CallAnswers[Name]> {
  return callFor(name, given);
}

/** Like `callControl`, for a response that `CallAnswers` does not type. */
function callFor<Answer>(name: ControlCallName, given: Given = {}): Promise<Answer> {
  return read(sendCall(controlCalls[name].method, toPath(name, given), given.body));
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

export type OrganizationItem = CallAnswers['organizations.list']['organizations'][number];
export type SnapshotItem = CallAnswers['data.snapshots']['snapshots'][number];
export type FreshKey = CallAnswers['keys.issue'];

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
  status: () => callControl('status.get'),
  organizations: async () => (await callControl('organizations.list')).organizations,
  quotas: {
    set: (limits: Record<string, number>, organization: string | undefined) =>
      callControl('quotas.set', { body: { limits, organization } }),
  },
  keys: {
    list: async (organization?: string) => (await callControl('keys.list', { query: { organization } })).keys,
    issue: (body: { name: string | undefined; organization: string | undefined }) =>
      callControl('keys.issue', { body }),
    enable: (id: string) => callControl('keys.enable', { params: { id } }),
    disable: (id: string) => callControl('keys.disable', { params: { id } }),
    rename: (id: string, name: string) => callControl('keys.rename', { body: { id, name } }),
    revoke: (id: string) => callControl('keys.revoke', { params: { id } }),
    store: (name: string, { id, secret }: FreshKey) =>
      callControl('profiles.save', { body: { name, keyId: id, secret } }),
  },
  clock: {
    set: (time: string) => callControl('clock.set', { body: { time } }),
    advance: (by: string | number) => callControl('clock.advance', { body: { by } }),
  },
  faults: {
    set: (rules: readonly string[]) => callControl('faults.set', { body: { rules } }),
    clear: () => callControl('faults.clear'),
  },
  stubs: {
    /** In the form that `set` accepts. */
    get: async (): Promise<StubInput[]> => {
      const { stubs } = await callControl('stubs.get');
      return stubs.map(({ request, status, headers, body }) => ({ request, status, headers, body }));
    },
    set: (stubs: readonly (string | StubInput)[]) =>
      callControl('stubs.set', { body: { stubs: [...stubs] } }),
  },
  rateLimit: {
    set: (requests: number, window: string) => callControl('rateLimit.set', { body: { requests, window } }),
    clear: () => callControl('rateLimit.clear'),
  },
  data: {
    snapshots: async () => (await callControl('data.snapshots')).snapshots,
    take: async () => (await callControl('data.snapshot')).snapshot,
    restore: (snapshot: string) => callControl('data.restore', { body: { snapshot } }),
    reset: () => callControl('data.reset'),
  },
  journal: {
    get: (id: number) => callControl('journal.get', { params: { id: String(id) } }),
    clear: () => callControl('journal.clear'),
  },
  send: (body: z.input<typeof requestToSendSchema>) => callControl('requests.send', { body }),
  checkSignature: (body: z.input<typeof signatureCheckSchema>) => callControl('signatures.check', { body }),
};

export function makeItemCalls<Kind extends Item>(kind: string) {
  const params = { kind };
  return {
    list: ({ page, limit, ...query }: ItemsPage) =>
      callFor<Envelope<Kind>>('items.list', {
        params,
        query: { ...query, page: String(page), limit: String(limit) },
      }),
    create: (body: object, organization: string | undefined) =>
      callFor<Kind>('items.create', { params, query: { organization }, body }),
    update: (id: string, body: object, organization: string | undefined) =>
      callFor<Kind>('items.update', { params: { kind, id }, query: { organization }, body }),
    delete: (id: string, organization: string | undefined) =>
      callControl('items.delete', { params: { kind, id }, query: { organization } }),
  };
}
