import { errorAnswerSchema } from './error-message.js';
import { quotaRecordSchema } from './quota.js';
import { resources } from './resources/index.js';
import type { CallSource, ResourceDeclaration } from './resources/resource.js';
import { envelopeSchema, pageNumber, pageSize } from './schema/envelope.js';
import { z } from './schema/schema.js';

export type ApiMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

interface DescribedPart {
  readonly schema?: z.ZodMiniType;
  readonly source: CallSource;
}

/** An API call. Schemas are built when they are asked for: callers need only a few. */
export interface Operation {
  /** A unique name for programs, such as `teams.create`. */
  readonly id: string;
  readonly method: ApiMethod;
  readonly path: string;
  readonly source: CallSource;
  query?(): Readonly<Record<string, DescribedPart>>;
  body?(): Required<DescribedPart>;
  answers(): DescribedAnswers;
}

type DescribedAnswers = Readonly<Record<number, DescribedPart>>;

export type CallName = keyof ResourceDeclaration['calls'];

/** `source` refers to the status, not to the body: the API reference shows a body only for an exceeded quota. */
function refusals(source: CallSource, ...statuses: readonly number[]): DescribedAnswers {
  return Object.fromEntries(statuses.map((status) => [status, { schema: errorAnswerSchema(), source }]));
}

const everyRefusal = () => ({ ...refusals('ref', 400, 401, 403, 429), ...refusals('ours', 413, 503) });

/** The API reference has only `limit`, and only for `GET /connections`. */
const pageQuery = (list: CallSource) => ({
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
  /** @param others refusals of this call: 404 for an unknown ID, 415 for a Content-Type other than JSON or malformed */
  const answered = (status: number, schema: z.ZodMiniType | undefined, ...others: readonly number[]) => ({
    [status]: { ...(schema && { schema }), source: 'ours' as const },
    ...everyRefusal(),
    ...refusals('ours', ...others),
  });
  const call = (name: CallName, method: ApiMethod, path: string) => ({
    id: `${resource.property}.${name}`,
    method,
    path,
    source: calls[name],
  });
  return {
    list: {
      ...call('list', 'GET', collection),
      query: () => pageQuery(calls.list),
      answers: () => answered(200, envelopeSchema(answer())),
    },
    create: {
      ...call('create', 'POST', collection),
      body: () => ({ schema: resource.input, source: inputSource }),
      answers: () => answered(201, created(), 415),
    },
    get: { ...call('get', 'GET', item), answers: () => answered(200, answer(), 404) },
    update: {
      ...call('update', 'PATCH', item),
      body: () => ({ schema: resource.patch, source: 'ours' }),
      answers: () => answered(200, answer(), 404, 415),
    },
    delete: { ...call('delete', 'DELETE', item), answers: () => answered(204, undefined, 404, 415) },
  };
}

export const readQuotas: Operation = {
  id: 'quotas.read',
  method: 'GET',
  path: '/quotas',
  source: 'ref',
  answers: () => ({
    200: { schema: envelopeSchema(quotaRecordSchema()), source: 'ref' },
    ...everyRefusal(),
  }),
};

export function operations(): readonly Operation[] {
  return [readQuotas, ...resources.flatMap((resource) => Object.values(listCalls(resource)))];
}

export function collectionPaths(): readonly string[] {
  return [...new Set(operations().map(({ path }) => path))].filter((path) => !path.includes('{'));
}
