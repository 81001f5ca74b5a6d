import type { Operation } from '../api/operations.js';
import { type DeclaredResource, hasQuota } from '../api/resources/index.js';
import { describeAnswers, json } from './answers.js';
import { schemaOfCall } from './named-schemas.js';

export function describeOperation(operation: Operation, resource: DeclaredResource | undefined) {
  const { id, path, source } = operation;
  const body = operation.body?.();
  const tag = path.split('/')[1];
  return {
    operationId: id,
    summary: summarize(operation, resource),
    tags: [tag],
    'x-source': source,
    parameters: listParameters(operation, resource),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        description: `${bodyLimits}${body.source === 'ref' ? ' These limits are not in the API reference.' : ''}`,
        content: { [json]: { schema: schemaOfCall(body.schema, resource, body.source) } },
        'x-source': body.source,
      },
    }),
    responses: describeAnswers(operation, resource),
  };
}

const bodyLimits =
  'JSON in UTF-8, at most 1 MiB. It may have at most 64 levels, 1000 fields and list items in total, and 1000 characters in a number. Strings must not contain NUL or lone surrogates. No field may be named __proto__. Lengths of strings are counted in Unicode code points.';

function summarize({ id }: Operation, resource: DeclaredResource | undefined): string {
  const [, call = ''] = id.split('.');
  if (resource === undefined) return 'Get quotas';
  const { singular, plural } = resource;
  const article = /^[aeiou]/i.test(singular) ? 'an' : 'a';
  if (call === 'list') return `List ${plural}`;
  const word = call.charAt(0).toUpperCase() + call.slice(1);
  return `${word} ${article} ${singular}${call === 'create' && hasQuota(resource) ? ', if the quota has room' : ''}`;
}

function listParameters({ path, query }: Operation, resource: DeclaredResource | undefined) {
  const ofQuery = Object.entries(query?.() ?? {}).map(([name, { schema, source }]) => ({
    name,
    in: 'query',
    required: false,
    ...(schema !== undefined && { schema: schemaOfCall(schema, resource, source) }),
    'x-source': source,
  }));
  if (!path.includes('{id}')) return ofQuery;
  const id = {
    name: 'id',
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,255}$' },
  };
  return [{ ...id, 'x-source': 'ours' }, ...ofQuery];
}
