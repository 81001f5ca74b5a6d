import { signal } from '@preact/signals';
import type { CallAnswers, CallArguments, CallName } from '../../api/control/call-types.js';
import { controlCalls, controlPath, type TargetParts, writeTarget } from '../../api/control/calls.js';
import type { StubInput, signatureCheckSchema } from '../../api/control/control.js';
import type { Envelope } from '../../api/schema/envelope.js';
import type { z } from '../../api/schema/schema.js';
import type { ApiDocument } from './api-document.js';
import { endSession, session } from './session.js';

/** What the server refused, in its own words; `status` 0 when it did not answer at all. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Whether the last call was answered; what is shown may be old as long as it was not. */
export const reachable = signal(true);

/** The headers of every call; no cookie is ever sent. */
export function authorization(): Record<string, string> {
  const state = session.peek();
  return state.is === 'open' ? { authorization: `Bearer ${state.bearer}` } : {};
}

/** What a call takes, whatever its name. */
interface Given extends TargetParts {
  readonly body?: object;
}

/** The path of a call of the control API; empty parts of a query are left out. */
export function toPath(name: CallName, { params, query = {} }: TargetParts = {}): string {
  const filled = Object.entries(query).filter(([, value]) => value !== '');
  return controlPath + writeTarget(controlCalls[name], { params, query: Object.fromEntries(filled) });
}

/** Makes a call of the control API. @throws ApiError for whatever is no 2xx; a session that is over is ended. */
function call<Name extends CallName>(
  name: Name,
  ...[given]: CallArguments[Name]
): Promise<CallAnswers[Name]> {
  return callFor(name, given);
}

/** As `call`, for an answer that the table does not know. */
function callFor<Answer>(name: CallName, given: Given = {}): Promise<Answer> {
  return read(send(controlCalls[name].method, toPath(name, given), given.body));
}

/** @throws ApiError */
async function read<Answer>(sent: Promise<Response>): Promise<Answer> {
  const answer = await sent;
  if (answer.status === 204) return undefined as Answer;
  if (!answer.ok) throw await refusalOf(answer);
  return answer.json();
}

async function send(method: string, path: string, body?: object): Promise<Response> {
  try {
    const answer = await fetch(path, {
      method,
      headers: { ...authorization(), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      cache: 'no-store',
      credentials: 'omit',
    });
    reachable.value = true;
    return answer;
  } catch {
    reachable.value = false;
    throw new ApiError(0, 'The server does not answer.');
  }
}

/** The error that an answer is; one that nobody is asked for any more ends the session. */
export async function refusalOf(answer: Response): Promise<ApiError> {
  if (answer.status === 401) endSession();
  const text = await answer.text();
  try {
    const { message }: { message: string } = JSON.parse(text);
    return new ApiError(answer.status, message);
  } catch {
    return new ApiError(answer.status, `The server answered ${answer.status}.`);
  }
}

export type Organization = CallAnswers['organizations.list']['organizations'][number];
export type Snapshot = CallAnswers['data.snapshots']['snapshots'][number];
export type IssuedKey = CallAnswers['keys.issue'];

/** A resource that is no key, as the service answers it. */
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

export interface Page {
  readonly organization: string | undefined;
  readonly page: number;
  readonly limit: number;
  readonly search: string | undefined;
}

/** Every call of the page, by what it is about. All throw ApiError. */
export const api = {
  /** Of the service's API; a file of the page. */
  document: () => read<ApiDocument>(send('GET', '/openapi.json')),
  status: () => call('status.get'),
  organizations: async () => (await call('organizations.list')).organizations,
  quotas: {
    set: (limits: Record<string, number>, organization: string | undefined) =>
      call('quotas.set', { body: { limits, organization } }),
  },
  keys: {
    list: async (organization?: string) => (await call('keys.list', { query: { organization } })).keys,
    issue: (body: { name: string | undefined; organization: string | undefined }) =>
      call('keys.issue', { body }),
    enable: (id: string) => call('keys.enable', { params: { id } }),
    disable: (id: string) => call('keys.disable', { params: { id } }),
    revoke: (id: string) => call('keys.revoke', { params: { id } }),
    /** Keeps an issued key as a profile of this machine. */
    store: (name: string, { id, secret }: IssuedKey) =>
      call('profiles.save', { body: { name, keyId: id, secret } }),
  },
  clock: {
    set: (time: string) => call('clock.set', { body: { time } }),
    advance: (by: string | number) => call('clock.advance', { body: { by } }),
  },
  faults: {
    set: (rules: readonly string[]) => call('faults.set', { body: { rules } }),
    clear: () => call('faults.clear'),
  },
  stubs: {
    /** As they can be set again. */
    get: async (): Promise<StubInput[]> => {
      const { stubs } = await call('stubs.get');
      return stubs.map(({ request, status, headers, body }) => ({ request, status, headers, body }));
    },
    set: (stubs: readonly (string | StubInput)[]) => call('stubs.set', { body: { stubs: [...stubs] } }),
  },
  rateLimit: {
    set: (requests: number, window: string) => call('rateLimit.set', { body: { requests, window } }),
    clear: () => call('rateLimit.clear'),
  },
  data: {
    snapshots: async () => (await call('data.snapshots')).snapshots,
    take: async () => (await call('data.snapshot')).snapshot,
    restore: (snapshot: string) => call('data.restore', { body: { snapshot } }),
    reset: () => call('data.reset'),
  },
  journal: {
    get: (id: number) => call('journal.get', { params: { id: String(id) } }),
    clear: () => call('journal.clear'),
  },
  checkSignature: (body: z.input<typeof signatureCheckSchema>) => call('signatures.check', { body }),
};

/** The calls of one kind of resource, but of keys. */
export function itemsOf<Kind extends Item>(kind: string) {
  const params = { kind };
  return {
    list: ({ page, limit, ...query }: Page) =>
      callFor<Envelope<Kind>>('items.list', {
        params,
        query: { ...query, page: String(page), limit: String(limit) },
      }),
    create: (body: object, organization: string | undefined) =>
      callFor<Kind>('items.create', { params, query: { organization }, body }),
    update: (id: string, body: object, organization: string | undefined) =>
      callFor<Kind>('items.update', { params: { kind, id }, query: { organization }, body }),
    delete: (id: string, organization: string | undefined) =>
      call('items.delete', { params: { kind, id }, query: { organization } }),
  };
}
