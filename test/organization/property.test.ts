import fc from 'fast-check';
import { expect, it } from 'vitest';
import { apply, organization, planOf, requestsWhile } from '../commands/support/organization.js';
import { runCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService({ quotas: { connections: 1000, teams: 1000 } });

const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }),
  fc.constantFrom('null', 'true', '~', '1e3', '- a', '# x', 'a: b', "'", '"', 'constructor', '__proto__'),
);
const word = fc.string({ minLength: 1, maxLength: 12 });
const password = fc.constant({ env: 'APP_DB_PASSWORD' });
const marked = fc.constant({ $secret: { env: 'APP_DB_PASSWORD' } });
const value = fc.oneof(
  word,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
// A password is never in clear.
const setting = fc
  .oneof(fc.stringMatching(/^[a-z]{1,8}$/), fc.constantFrom('env', 'file', 'command'))
  .filter((text) => text !== 'password');

const postgres = fc.record({
  type: fc.constantFrom('postgresql', 'pg'),
  config: fc.record({
    host: word,
    port: fc.integer({ min: 1, max: 65_535 }),
    database: word,
    user: word,
    password,
    ssl: fc.boolean(),
  }),
});
const other = fc.record({
  type: fc.constantFrom('mysql', 'mongodb'),
  config: fc.dictionary(
    fc.oneof(setting, fc.constantFrom('host', 'port', 'user')),
    fc.oneof(
      value,
      marked,
      fc.array(fc.oneof(value, marked), { maxLength: 3 }),
      fc.dictionary(setting, fc.oneof(value, marked), { maxKeys: 3 }),
    ),
    { maxKeys: 6 },
  ),
});
const named = <Fields extends object>(fields: fc.Arbitrary<Fields>) =>
  fc
    .uniqueArray(fc.tuple(name, fields), { maxLength: 5, selector: ([each]) => each })
    .map((all) => all.map(([each, more]) => ({ name: each, ...more })));

const organizations = fc.record({
  connections: named(fc.oneof(postgres, other)),
  teams: named(fc.constant({})),
});

it('a second apply makes reads alone, and a diff of an export finds nothing', async () => {
  await fc.assert(
    fc.asyncProperty(organizations, organizations, async (first, second) => {
      await service.server.control.reset();
      const env = service.environment({ APP_DB_PASSWORD: 'hunter2' });
      const count = ({ connections, teams }: typeof first) => connections.length + teams.length;
      const posts = await requestsWhile(service.server, async () => {
        expect((await apply(organization(first), env)).ended.code).toBe(0);
      });
      expect(posts['POST'] ?? 0).toBe(count(first));
      const file = organization(second);
      const { ended } = await apply(file, env, '--prune=all');
      expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
      const again = await requestsWhile(service.server, async () => {
        expect((await apply(file, env, '--prune=all')).rows).toEqual([]);
      });
      expect(Object.keys(again)).toEqual(['GET']);
      const exported = await runCli(['export'], { env });
      expect((await planOf(exported.stdout, env, '--prune')).plan.changes).toEqual([]);
    }),
    { numRuns: 6 },
  );
});
