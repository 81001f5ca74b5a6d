import { errorAnswerSchema } from './error-message.js';
import { quotaEnvelopeSchema } from './quota.js';
import { resources } from './resources/index.js';
import type { CallSource, ResourceDeclaration } from './resources/resource.js';
import { envelopeSchema, pageNumber, pageSize } from './schema/envelope.js';
import { z } from './schema/schema.js';

export type ApiMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

interface DescribedPart {
  readonly schema?: z.ZodMiniType;
  readonly source: CallSource;
}

/** An API call. Schemas are built when they are asked for: clients need few of them. */
export interface Operation {
  /** A unique name for programs, such as `teams.create`. */
  readonly id: string;
  readonly method: ApiMethod;
  readonly path: string;
  readonly source: CallSource;
  query?(): Readonly<Record<string, DescribedPart>>;
  readonly body?: { readonly schema: z.ZodMiniType; readonly source: CallSource } | undefined;
  answers(): DescribedAnswers;
}

type DescribedAnswers = Readonly<Record<number, DescribedPart>>;

export type CallName = keyof ResourceDeclaration['calls'];

/** `source` refers to the status, not to the body: the API reference shows a body only for an exceeded quota. */
const refusalAnswers = () =>
  ({
    400: { schema: errorAnswerSchema, source: 'ref' },
    401: { schema: errorAnswerSchema, source: 'ref' },
    403: { schema: errorAnswerSchema, source: 'ref' },
    429: { schema: errorAnswerSchema, source: 'ref' },
    413: { schema: errorAnswerSchema, source: 'ours' },
    503: { schema: errorAnswerSchema, source: 'ours' },
  }) as const satisfies DescribedAnswers;
const unknownId = () => ({ 404: { schema: errorAnswerSchema, source: 'ours' as const } });
/** For a Content-Type other than JSON; if there is no body, only for a malformed Content-Type. */
const noJson = () => ({ 415: { schema: errorAnswerSchema, source: 'ours' as const } });

/** The API reference has only `limit`, and only for `GET /connections`. */
const pageQuery = (list: CallSource) => () => ({
  limit: { schema: integerWithin(pageSize), source: list },
  page: { schema: integerWithin(pageNumber), source: 'ours' as const },
});

function integerWithin(bounds: { readonly min: number; readonly max: number; readonly default: number }) {
  return z._default(z.int().check(z.minimum(bounds.min), z.maximum(bounds.max)), bounds.default);
}

export function listCalls(resource: ResourceDeclaration): Readonly<Record<CallName, Operation>> {
  const collection = `/${resource.kind}`;
  const item = `${collection}/{id}`;
  const { inputSource, calls, answer, created = answer } = resource;
  const answered = (status: number, schema?: z.ZodMiniType): DescribedAnswers => ({
    [status]: { ...(schema && { schema }), source: 'ours' },
    ...refusalAnswers(),
  });
  const call = (name: CallName, method: ApiMethod, path: string) => ({
    id: `${resource.property}.${name}`,
    method,
    path,
    source: calls[name] ?? 'ours',
  });
  return {
    list: {
      ...call('list', 'GET', collection),
      query: pageQuery(calls.list),
      answers: () => answered(200, envelopeSchema(answer())),
    },
    create: {
      ...call('create', 'POST', collection),
      get body() {
        return { schema: resource.input, source: inputSource };
      },
      answers: () => ({ ...answered(201, created()), ...noJson() }),
    },
    get: { ...call('get', 'GET', item), answers: () => ({ ...answered(200, answer()), ...unknownId() }) },
    update: {
      ...call('update', 'PATCH', item),
      get body() {
        return resource.patch && { schema: resource.patch, source: 'ours' as const };
      },
      answers: () => ({ ...answered(200, answer()), ...unknownId(), ...noJson() }),
    },
    delete: {
      ...call('delete', 'DELETE', item),
      answers: () => ({ ...answered(204), ...unknownId(), ...noJson() }),
    },
  };
}

export function hasCall({ calls }: ResourceDeclaration, name: CallName): boolean {
  return calls[name] !== undefined;
}

const callNames: readonly CallName[] = ['list', 'create', 'get', 'update', 'delete'];

export const readQuotas: Operation = {
  id: 'quotas.read',
  method: 'GET',
  path: '/quotas',
  source: 'ref',
  answers: () => ({ 200: { schema: quotaEnvelopeSchema, source: 'ref' }, ...refusalAnswers() }),
};

export function operations(): readonly Operation[] {
  const ofResources = resources.flatMap((resource) => {
    const calls = listCalls(resource);
    return callNames.filter((name) => hasCall(resource, name)).map((name) => calls[name]);
  });
  return [readQuotas, ...ofResources];
}

export function collectionPaths(): readonly string[] {
  return [...new Set(operations().map(({ path }) => path))].filter((path) => !path.includes('{'));
}
