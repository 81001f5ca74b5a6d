import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import * as client from '../../src/client/index.js';
import * as server from '../../src/server/index.js';
import * as signing from '../../src/signing/index.js';
import { useOwnProject } from './support/own-project.js';

// Programs of others import these names: one that goes or is renamed breaks them.
const errors = 'ConfigError NetworkError OrgctlError OutcomeUnknownError ServiceError UsageError';
const namesOfSigning = `basicAuthorization canonicalString defaultMaxSkew equalInConstantTime explainMismatch
  hmacSignature knownMistakes parseBasicAuthorization parseTimestamp signatureHeader signedHeaders timestampOf
  verifyRequest verifySignature visibleCanonical withinSkew`;

it.each<[string, object, string]>([
  ['signing', signing, namesOfSigning],
  ['client', client, 'createClient isPostgresConnection signInterceptor signedFetch'],
  ['server', server, 'startServer'],
])('orgctl/%s exports the names that it always has', (_name, library, names) => {
  expect(Object.keys(library).sort()).toEqual(`${errors} ${names}`.split(/\s+/).sort());
});

// What publint and attw do not see: whether the declarations compile where nothing but Node's types is installed.

const own = useOwnProject(['@types/node', 'typescript']);
const compiler = 'node_modules/typescript/bin/tsc';

/** Something of each library, typed; `import` and `require` have the same to offer. */
const uses = `
  const options: ServerOptions = { http: true, quotas: { teams: 1 }, clock: () => 0 };
  const server: RunningServer = await startServer({ ...options, clock: undefined });
  const api: Client = createClient({ baseUrl: server.url, keyId: server.keyId, secret: server.secret });
  const team: Team = await api.teams.create({ name: 'ops' });
  // @ts-expect-error a setting of PostgreSQL is misspelt
  const misspelt = () => api.connections.create({ name: 'x', type: 'pg', config: { hsot: 'x' } });
  // @ts-expect-error a number is no team
  const none = () => api.teams.create(42);
  // @ts-expect-error a fault without its path
  const fault = () => server.control.faults.set(['GET=503']);
  // @ts-expect-error a unit that there is not
  const unit = () => server.control.clock.advance('10min');
  // @ts-expect-error a field that teams do not have
  const field = () => team.nmae;
  const ports: number[] = (await api.connections.list()).data.filter(isPostgresConnection).map(({ config }) => config.port);
  const fetching: typeof fetch = signedFetch({ keyId: 'key_1', secret: 'x' });
  const failure: unknown = await api.teams.create({ name: 'dev' }).catch((error: unknown) => error);
  const code = failure instanceof OrgctlError && failure instanceof ServiceError ? failure.code : undefined;
  const verified: Verification<{ secret: string }> = await verifyRequest(
    { method: 'GET', target: '/', headers: new Headers() },
    () => undefined,
  );
  const { accepted, keyId, statusCode, message } = verified;
  const refusal: [400 | 401 | 403, string] | undefined = accepted ? undefined : [statusCode, message];
  const holder: string | undefined = accepted ? keyId : undefined;
  const check: RefusedRequest['check'] | undefined = verified.accepted ? undefined : verified.check;
  const entries: JournalEntry[] = await server.control.journal.get({ refused: true });
  const response = failure instanceof ServiceError ? failure.answer : undefined;
  // @ts-expect-error text is no number: without the types of Node.js it would be any
  const size: number | undefined = response?.body.toString('utf8');
  await api.close();
  await server.close();
  console.log(team.name, code, check, entries.length, typeof misspelt, typeof none, typeof size, refusal?.[0], holder);
  console.log(typeof fault, typeof unit, typeof field, ports.length, typeof fetching);
`;
const said =
  'ops quota_exceeded credentials 1 function function string 401 undefined\nfunction function function 0 function\n';

const types = `
  import type { Client, Team } from 'orgctl/client';
  import type { JournalEntry, RunningServer, ServerOptions } from 'orgctl/server';
  import type { RefusedRequest, Verification } from 'orgctl/signing';
`;

const programs = {
  'module.mts': `
    import { createClient, isPostgresConnection, OrgctlError, ServiceError, signedFetch } from 'orgctl/client';
    import { startServer } from 'orgctl/server';
    import { verifyRequest } from 'orgctl/signing';
    ${types}
    ${uses}`,
  'required.cts': `
    import client = require('orgctl/client');
    import { startServer } from 'orgctl/server';
    import { verifyRequest } from 'orgctl/signing';
    ${types}
    void (async () => {
      const { createClient, isPostgresConnection, OrgctlError, ServiceError, signedFetch } = client;
      ${uses}
    })();`,
};

beforeAll(() => own.write(programs));

it('a program that uses every library compiles with --module nodenext, and runs', async () => {
  const files = Object.keys(programs);
  // Without the types of a browser, which take most of the time.
  const options = ['--target', 'es2022', '--lib', 'es2022,esnext.disposable', '--types', 'node'];
  const to = ['--strict', '--module', 'nodenext', '--outDir', 'compiled'];
  expect((await own.node([compiler, ...options, ...to, ...files])).stdout).toBe('');
  for (const file of files) {
    const compiled = join('compiled', file.replace('ts', 'js'));
    expect(await own.node([compiled]), file).toEqual({ code: 0, stdout: said, stderr: '' });
  }
});
