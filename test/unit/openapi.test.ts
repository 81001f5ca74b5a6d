import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/api/operations.js';
import { errorMessage } from '../../src/api/refusal-message.js';
import { resources } from '../../src/api/resources/index.js';
import { z } from '../../src/api/schema/schema.js';
import {
  bodySchemaOf,
  describedAnswer,
  describedCalls,
  document,
  exampleErrors,
  misfit,
} from '../support/api-description.js';
import { runCli } from '../support/run-cli.js';

function call(id: string) {
  const found = describedCalls.find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`no call ${id}`);
  return found;
}

/** What constrains a value, without descriptions and sources. */
function bare(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bare);
  if (typeof schema !== 'object' || schema === null) return schema;
  const ref = '$ref' in schema ? String(schema.$ref).replace('#/components/schemas/', '') : undefined;
  if (ref !== undefined) return bare(document.components.schemas[ref]);
  const left = /^(x-source.*|examples|description|\$schema|pattern)$/;
  const isBeyond = (value: unknown) => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  const kept = Object.entries(schema).filter(([key, value]) => !left.test(key) && !isBeyond(value));
  return Object.fromEntries(kept.map(([key, value]) => [key, bare(value)]));
}

const declared = (schema: z.ZodMiniType) => bare(z.toJSONSchema(schema, { io: 'input' }));

describe('openapi.yaml', () => {
  it('has the calls that are declared, and no others', () => {
    const calls = describedCalls.map(({ operationId, method, path }) => `${operationId} ${method} ${path}`);
    expect(calls.sort()).toEqual(
      operations()
        .map(({ id, method, path }) => `${id} ${method} ${path}`)
        .sort(),
    );
  });

  it.each(resources)(
    'has the fields and bounds of $plural that are declared',
    ({ property, ...resource }) => {
      expect(bare(bodySchemaOf(call(`${property}.create`)))).toEqual(declared(resource.input));
      expect(bare(bodySchemaOf(call(`${property}.update`)))).toEqual(declared(resource.patch));
      const answer = (name: string, status: number) =>
        bare(describedAnswer(call(`${property}.${name}`), status)?.content?.['application/json']?.schema);
      expect(answer('get', 200)).toEqual(declared(resource.answer()));
      const created = 'created' in resource ? resource.created() : resource.answer();
      expect(answer('create', 201)).toEqual(declared(created));
    },
  );

  it('has every message of the reference, at its status', () => {
    const errors = Object.values(document.components.responses).flatMap(exampleErrors);
    const statusOf = new Map(errors.map(({ statusCode, message }) => [message, statusCode]));
    const { multipleCredentials, keyDisabled, tooManyRequests, ...others } = errorMessage;
    const statuses = [multipleCredentials, keyDisabled, tooManyRequests].map((text) => statusOf.get(text));
    expect(statuses).toEqual([400, 403, 429]);
    for (const message of Object.values(others)) expect(statusOf.get(message)).toBe(401);
  });

  it('has examples that are what they are to show', () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const { examples } = z.parse(z.object({ examples: z.array(z.unknown()) }), schema);
      const misfits = examples.map((example) => misfit(schema, example, { closed: true }));
      expect([name, misfits.filter(Boolean)]).toEqual([name, []]);
    }
  });

  it('is what orgctl openapi prints, with signatures that others compute alike', async () => {
    const { code, stdout } = await runCli(['openapi']);
    expect([code, z.parse(z.looseObject({ paths: z.unknown() }), JSON.parse(stdout)).paths]).toMatchObject([
      0,
      {},
    ]);
    const query = ['openapi', '--query', 'components.securitySchemes.hmacSignature."x-test-vectors"'];
    const vectors = JSON.parse((await runCli(query)).stdout);
    expect(vectors).toHaveLength(2);
    for (const { secret, canonicalString, headers } of vectors) {
      const signature = createHmac('sha256', secret).update(canonicalString).digest('hex');
      expect(headers['X-API-Signature']).toBe(signature);
    }
  });
});
