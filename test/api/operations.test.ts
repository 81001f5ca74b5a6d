import { describe, expect, it } from 'vitest';
import { collectionPaths, operations } from '../../src/api/operations.js';
import { z } from '../../src/api/schema/schema.js';

/** Every schema of the API, with the call that it is part of. */
function schemas(): [where: string, schema: z.ZodMiniType][] {
  return operations().flatMap(({ method, path, query, body, answers }) => {
    const parts = [...Object.entries(query?.() ?? {}), ...Object.entries(answers())];
    const described = parts.flatMap(([name, { schema }]): [string, z.ZodMiniType][] =>
      schema === undefined ? [] : [[`${method} ${path} ${name}`, schema]],
    );
    return body === undefined ? described : [...described, [`${method} ${path} body`, body().schema]];
  });
}

describe('the calls of the API', () => {
  it('are those of the reference, and ours', () => {
    expect(operations().map(({ method, path, source }) => `${method} ${path} [${source}]`)).toEqual([
      'GET /quotas [ref]',
      'GET /api-keys [ours]',
      'POST /api-keys [ref]',
      'GET /api-keys/{id} [ours]',
      'PATCH /api-keys/{id} [ours]',
      'DELETE /api-keys/{id} [ours]',
      'GET /connections [ref]',
      'POST /connections [ref]',
      'GET /connections/{id} [ours]',
      'PATCH /connections/{id} [ours]',
      'DELETE /connections/{id} [ours]',
      'GET /teams [ours]',
      'POST /teams [ours]',
      'GET /teams/{id} [ours]',
      'PATCH /teams/{id} [ours]',
      'DELETE /teams/{id} [ours]',
    ]);
    expect(collectionPaths()).toEqual(['/quotas', '/api-keys', '/connections', '/teams']);
  });

  // What only code could check would be missing from a description of the API.
  it.each(schemas())('%s has a schema that JSON Schema can say', (_where, schema) => {
    const described = z.toJSONSchema(schema);
    expect(Object.keys(described).filter((key) => key !== '$schema')).not.toEqual([]);
  });
});
