import { envelopeSchema, pageNumber, pageSize } from './envelope.js';
import { errorBodySchema } from './error-message.js';
import { quotaEnvelopeSchema } from './quota.js';
import type { ResourceDeclaration, Source } from './resource.js';
import { resources } from './resources/index.js';
import { z } from './schema.js';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A part of a call, and whether the API reference describes it. */
interface Described {
  /** Absent for an answer without a body. */
  readonly schema?: z.ZodMiniType;
  readonly source: Source;
}

/** One call of the API. Schemas take their time to be built, and who makes calls needs few of them: those are made when asked for. */
export interface Operation {
  readonly method: Method;
  /** Relative to the base address, with parameters as in `/teams/{id}`. */
  readonly path: string;
  readonly source: Source;
  query?(): Readonly<Record<string, Described>>;
  /** The schema of the JSON body. */
  readonly body?: z.ZodMiniType;
  /** By status. */
  answers(): Answers;
}

type Answers = Readonly<Record<number, Described>>;

type CallName = keyof ResourceDeclaration['calls'];

/** Of every call, in the order of the server's checks; the shape of their body is the reference's for a quota alone. */
const refusals = {
  400: { schema: errorBodySchema, source: 'ref' },
  401: { schema: errorBodySchema, source: 'ref' },
  403: { schema: errorBodySchema, source: 'ref' },
  429: { schema: errorBodySchema, source: 'ref' },
  413: { schema: errorBodySchema, source: 'ours' },
  503: { schema: errorBodySchema, source: 'ours' },
} as const satisfies Answers;
const unknownId = { 404: { schema: errorBodySchema, source: 'ours' } } as const;
const noJson = { 415: { schema: errorBodySchema, source: 'ours' } } as const;

/** What a list takes: ours but for the name of `limit` and that it is an integer (reference, section 4). */
const pageQuery = () => ({
  limit: { schema: z.int().check(z.minimum(pageSize.min), z.maximum(pageSize.max)), source: 'ref' as const },
  page: {
    schema: z.int().check(z.minimum(pageNumber.min), z.maximum(pageNumber.max)),
    source: 'ours' as const,
  },
});

/** The call of each name, whether or not a resource has it. */
export function callsOf(resource: ResourceDeclaration): Readonly<Record<CallName, Operation>> {
  const collection = `/${resource.kind}`;
  const item = `${collection}/{id}`;
  const { input, patch, calls } = resource;
  const { answer, created = answer } = resource;
  const answered = (status: number, schema?: z.ZodMiniType): Answers => ({
    [status]: { ...(schema && { schema }), source: 'ours' },
    ...refusals,
  });
  const call = (name: CallName, method: Method, path: string) => ({
    method,
    path,
    source: calls[name] ?? 'ours',
  });
  return {
    list: {
      ...call('list', 'GET', collection),
      query: pageQuery,
      answers: () => answered(200, envelopeSchema(answer())),
    },
    create: {
      ...call('create', 'POST', collection),
      body: input,
      answers: () => ({ ...answered(201, created()), ...noJson }),
    },
    get: { ...call('get', 'GET', item), answers: () => ({ ...answered(200, answer()), ...unknownId }) },
    update: {
      ...call('update', 'PATCH', item),
      ...(patch && { body: patch }),
      answers: () => ({ ...answered(200, answer()), ...unknownId, ...noJson }),
    },
    delete: { ...call('delete', 'DELETE', item), answers: () => ({ ...answered(204), ...unknownId }) },
  };
}

/** Whether a resource has a call. */
export function hasCall({ calls }: ResourceDeclaration, name: CallName): boolean {
  return calls[name] !== undefined;
}

const callNames: readonly CallName[] = ['list', 'create', 'get', 'update', 'delete'];

/** `GET /quotas`. */
export const readQuotas: Operation = {
  method: 'GET',
  path: '/quotas',
  source: 'ref',
  answers: () => ({ 200: { schema: quotaEnvelopeSchema, source: 'ref' }, ...refusals }),
};

/** Every call of the API. */
export function operations(): readonly Operation[] {
  const ofResources = resources.flatMap((resource) => {
    const calls = callsOf(resource);
    return callNames.filter((name) => hasCall(resource, name)).map((name) => calls[name]);
  });
  return [readQuotas, ...ofResources];
}

/** The paths that are no single resource's. */
export function collectionPaths(): readonly string[] {
  return [...new Set(operations().map(({ path }) => path))].filter((path) => !path.includes('{'));
}
