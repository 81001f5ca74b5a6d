import { signal } from '@preact/signals';
import type { StubInput, signatureCheckSchema } from '../../api/control/control.js';
import type {
  ControlledKey,
  issuedKeySchema,
  JournalDetailAnswer,
  organizationsAnswerSchema,
  SignatureCheckAnswer,
  StatusAnswer,
  StubAnswer,
  snapshotsAnswerSchema,
} from '../../api/control/control-answers.js';
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

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Query = Readonly<Record<string, string | number | undefined>>;

/** The headers of every call; no cookie is ever sent. */
export function authorization(): Record<string, string> {
  const state = session.peek();
  return state.is === 'open' ? { authorization: `Bearer ${state.bearer}` } : {};
}

/** A path of the control API, with those parts of a query that are given. */
export function pathOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? `/_control${path}` : `/_control${path}?${new URLSearchParams(given)}`;
}

/** @throws ApiError for whatever is no 2xx; a session that is over is ended. */
async function call<Answer>(method: Method, path: string, body?: object): Promise<Answer> {
  const answer = await send(method, path, body);
  if (answer.status === 204) return undefined as Answer;
  if (!answer.ok) throw await refusalOf(answer);
  return answer.json();
}

async function send(method: Method, path: string, body?: object): Promise<Response> {
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

/** An organization with its quotas. */
export type Organization = z.infer<typeof organizationsAnswerSchema>['organizations'][number];
/** A snapshot that can be gone back to. */
export type Snapshot = z.infer<typeof snapshotsAnswerSchema>['snapshots'][number];
export type IssuedKey = z.infer<typeof issuedKeySchema>;

/** A connection or a team, as the service answers it. */
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

/** Which part of a list is asked for. */
export interface Page {
  readonly organization: string | undefined;
  readonly page: number;
  readonly limit: number;
  readonly search: string | undefined;
}

/** Every call of the page, by what it is about. All throw ApiError. */
export const api = {
  /** Of the service's API; a file of the page. */
  document: () => call<ApiDocument>('GET', '/openapi.json'),
  status: () => call<StatusAnswer>('GET', pathOf('/status')),
  organizations: async () =>
    (await call<{ organizations: Organization[] }>('GET', pathOf('/organizations'))).organizations,
  quotas: {
    set: (limits: Record<string, number>, organization: string | undefined) =>
      call<object>('PUT', pathOf('/quotas'), { limits, organization }),
  },
  keys: {
    list: async (organization?: string) =>
      (await call<{ keys: ControlledKey[] }>('GET', pathOf('/keys', { organization }))).keys,
    issue: (input: { name: string | undefined; organization: string | undefined }) =>
      call<IssuedKey>('POST', pathOf('/keys'), input),
    enable: (id: string) => call<object>('POST', pathOf(`/keys/${encodeURIComponent(id)}/enable`)),
    disable: (id: string) => call<object>('POST', pathOf(`/keys/${encodeURIComponent(id)}/disable`)),
    revoke: (id: string) => call<void>('DELETE', one('keys', id)),
    /** Keeps an issued key as a profile of this machine. */
    store: (name: string, { id, secret }: IssuedKey) =>
      call<object>('POST', pathOf('/profiles'), { name, keyId: id, secret }),
  },
  clock: {
    set: (time: string) => call<object>('PUT', pathOf('/clock'), { time }),
    advance: (by: string | number) => call<object>('POST', pathOf('/clock/advance'), { by }),
  },
  faults: {
    set: (rules: readonly string[]) => call<object>('PUT', pathOf('/faults'), { rules }),
    clear: () => call<void>('DELETE', pathOf('/faults')),
  },
  stubs: {
    /** As they can be set again. */
    get: async (): Promise<StubInput[]> => {
      const { stubs } = await call<{ stubs: StubAnswer[] }>('GET', pathOf('/stubs'));
      return stubs.map(({ request, status, headers, body }) => ({ request, status, headers, body }));
    },
    set: (stubs: readonly (string | StubInput)[]) => call<object>('PUT', pathOf('/stubs'), { stubs }),
  },
  rateLimit: {
    set: (requests: number, window: string) =>
      call<object>('PUT', pathOf('/rate-limit'), { requests, window }),
    clear: () => call<void>('DELETE', pathOf('/rate-limit')),
  },
  data: {
    snapshots: async () => (await call<{ snapshots: Snapshot[] }>('GET', pathOf('/snapshots'))).snapshots,
    take: async () => (await call<{ snapshot: string }>('POST', pathOf('/snapshot'))).snapshot,
    restore: (snapshot: string) => call<object>('POST', pathOf('/restore'), { snapshot }),
    reset: () => call<object>('POST', pathOf('/reset')),
  },
  journal: {
    get: (id: number) => call<JournalDetailAnswer>('GET', pathOf(`/journal/${id}`)),
    clear: () => call<void>('DELETE', pathOf('/journal')),
  },
  checkSignature: (request: z.input<typeof signatureCheckSchema>) =>
    call<SignatureCheckAnswer>('POST', pathOf('/signatures/check'), request),
};

/** The calls of one kind of resource. */
export function itemsOf<Kind extends Item>(kind: 'connections' | 'teams') {
  return {
    list: (page: Page) => call<Envelope<Kind>>('GET', pathOf(`/${kind}`, { ...page })),
    create: (body: object, organization: string | undefined) =>
      call<Kind>('POST', pathOf(`/${kind}`, { organization }), body),
    update: (id: string, body: object, organization: string | undefined) =>
      call<Kind>('PATCH', one(kind, id, organization), body),
    delete: (id: string, organization: string | undefined) =>
      call<void>('DELETE', one(kind, id, organization)),
  };
}

function one(kind: string, id: string, organization?: string): string {
  return pathOf(`/${kind}/${encodeURIComponent(id)}`, { organization });
}
