import { parseQuotaExceeded } from '../api/error-message.js';
import { type Operation, operations } from '../api/operations.js';
import { quotaHeader } from '../api/quota.js';
import { errorMessage } from '../api/refusal-message.js';
import { type DeclaredResource, hasQuota } from '../api/resources/index.js';
import { schemaOfCall } from './named-schemas.js';
import { type DescribedRefusal, describedRefusals } from './refusals.js';

export const json = 'application/json';

const count = { schema: { type: 'integer' }, 'x-source': 'ref' };

const answerHeaders = {
  [quotaHeader.limit]: { ...count, description: "The kind's limit." },
  [quotaHeader.used]: { ...count, description: 'The number in use after this request.' },
  [quotaHeader.remaining]: {
    ...count,
    description: 'Limit minus used; negative if more are in use than the limit permits.',
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer', minimum: 1 },
    'x-source': 'ours',
  },
};

export function describeAnswers({ answers }: Operation, resource: DeclaredResource | undefined) {
  const withQuota = resource !== undefined && hasQuota(resource);
  return Object.fromEntries(
    Object.entries(answers()).map(([status, { schema, source }]) => {
      const refusal = describedRefusals[status];
      if (refusal !== undefined) {
        return [status, { $ref: `#/components/responses/${nameSchema(refusal, withQuota)}` }];
      }
      const answer = {
        description: status === '204' ? 'Deleted' : status === '201' ? 'Created' : 'OK',
        ...(withQuota && { headers: headersNamed(Object.values(quotaHeader), true) }),
        ...(schema !== undefined && {
          content: { [json]: { schema: schemaOfCall(schema, resource, source), 'x-source': source } },
        }),
        'x-source': source,
      };
      return [status, answer];
    }),
  );
}

/** Each error response twice: without quota headers, and with optional ones for resources that have a quota. */
export function errorAnswers() {
  const sources = new Map(
    operations().flatMap(({ answers }) =>
      Object.entries(answers()).map(([status, { source }]) => [status, source] as const),
    ),
  );
  return Object.fromEntries(
    Object.entries(describedRefusals).flatMap(([status, refusal]) =>
      [false, true].map((withQuota) => [
        nameSchema(refusal, withQuota),
        { ...exampleError(Number(status), refusal, withQuota), 'x-source': sources.get(status) },
      ]),
    ),
  );
}

function exampleError(
  statusCode: number,
  { description, messages, retryAfter }: DescribedRefusal,
  withQuota: boolean,
) {
  const examples = Object.entries(messages).map(([message, summary], at) => [
    `message${at + 1}`,
    { summary, value: { statusCode, message }, 'x-source': isShown(message) ? 'ref' : 'ours' },
  ]);
  const all = {
    ...(withQuota && headersNamed(Object.values(quotaHeader), false)),
    ...(retryAfter !== undefined && headersNamed(['Retry-After'], retryAfter === 'always')),
  };
  return {
    description,
    ...(Object.keys(all).length > 0 && { headers: all }),
    content: {
      [json]: {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
        // The API reference shows the body only for an exceeded quota.
        'x-source': Object.keys(messages).some((message) => parseQuotaExceeded(message)) ? 'ref' : 'ours',
      },
    },
  };
}

function isShown(message: string): boolean {
  return shownMessages.includes(message) || parseQuotaExceeded(message) !== undefined;
}

const shownMessages: readonly string[] = Object.values(errorMessage);

function nameSchema({ name }: DescribedRefusal, withQuota: boolean): string {
  return withQuota ? `${name}WithQuota` : name;
}

/** Written out in each response, because `required` differs between responses. */
function headersNamed(names: readonly (keyof typeof answerHeaders)[], required: boolean) {
  return Object.fromEntries(names.map((name) => [name, { ...answerHeaders[name], required }]));
}
