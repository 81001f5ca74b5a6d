import { METHODS } from 'node:http';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assertHolds } from './support/assert-holds.js';
import { useServer } from './support/start.js';

const context = useServer({ quotas: { teams: 5, connections: 5, 'api-keys': 5 } });

const methods = fc.constantFrom(...METHODS.filter((method) => method !== 'CONNECT'), 'GET', 'POST', 'PATCH');
const segment = fc.oneof(
  fc.constantFrom('connections', 'api-keys', 'teams', 'quotas', '..', '__proto__', '*', '%00', '%zz', ''),
  fc.webSegment(),
);
const target = fc
  .tuple(fc.array(segment, { maxLength: 4 }), fc.option(fc.webQueryParameters()))
  .map(([segments, query]) => `/${segments.join('/')}${query === null ? '' : `?${query}`}`);
const field = fc.constantFrom(
  'name',
  'type',
  'config',
  'enabled',
  'id',
  'host',
  'port',
  'password',
  'ssl',
  'constructor',
);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('pg', 'postgresql', 5432, true, false, null, -0, 1e308),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(field, tie('value'), { maxKeys: 6 }),
  ),
})).value;
const body = fc.oneof(
  fc.constant(undefined),
  json.map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
);
const contentType = fc.constantFrom(
  undefined,
  'application/json',
  'application/json',
  'text/plain',
  ';',
  '/',
);

it('no request, however odd, is answered with a fault of the server', async () => {
  await assertHolds(
    fc.asyncProperty(
      methods,
      target,
      body,
      contentType,
      fc.boolean(),
      async (method, path, sent, type, basic) => {
        const call = { body: sent, contentType: type, auth: basic ? 'basic' : 'hmac' } as const;
        const { status, text, json: answered } = await context.caller.send(method, path, call);
        expect(status).toBeGreaterThanOrEqual(200);
        expect(status).toBeLessThan(500);
        expect([401, 405]).not.toContain(status);
        if (status >= 400 && text !== '') {
          expect(answered).toEqual({ statusCode: status, message: expect.any(String) });
        }
      },
    ),
    120,
  );
});
