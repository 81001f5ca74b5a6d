import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOwnProject } from './support/own-project.js';

// What publint and attw do not see: whether the declarations compile where nothing but Node's types is installed.

const own = useOwnProject(['@types/node', 'typescript', 'undici', 'undici6', 'undici-types8']);
const compiler = 'node_modules/typescript/bin/tsc';

/** Something of each library, typed; `require` and `import` in the place of HOW have the same to offer. */
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
  import type { Client, Team } from 'orgctl/client' HOW;
  import type { JournalEntry, RunningServer, ServerOptions } from 'orgctl/server' HOW;
  import type { RefusedRequest, Verification } from 'orgctl/signing' HOW;
`;
const asModules = "with { 'resolution-mode': 'import' }";

const programs = {
  'module.mts': `
    import { createClient, isPostgresConnection, OrgctlError, ServiceError, signedFetch } from 'orgctl/client';
    import { startServer } from 'orgctl/server';
    import { verifyRequest } from 'orgctl/signing';
    ${types.replaceAll('HOW', '')}
    ${uses}`,
  'dynamic.cts': `
    ${types.replaceAll('HOW', asModules)}
    void (async () => {
      const { createClient, isPostgresConnection, OrgctlError, ServiceError, signedFetch } = await import('orgctl/client');
      const { startServer } = await import('orgctl/server');
      const { verifyRequest } = await import('orgctl/signing');
      ${uses}
    })();`,
  'required.cts': `
    import client = require('orgctl/client');
    import { startServer } from 'orgctl/server';
    import { verifyRequest } from 'orgctl/signing';
    ${types.replaceAll('HOW', '')}
    void (async () => {
      const { createClient, isPostgresConnection, OrgctlError, ServiceError, signedFetch } = client;
      ${uses}
    })();`,
};

/** Compiles files of the project, all declarations included; what the compiler said. */
async function compile(files: readonly string[], options: readonly string[]): Promise<string> {
  // Without the types of a browser, which take most of the time.
  const libraries = ['--lib', 'es2022,esnext.disposable', '--types', 'node'];
  const args = ['--strict', '--target', 'es2022', ...libraries, ...options, ...files];
  return (await own.node([compiler, ...args])).stdout;
}

beforeAll(() => own.write(programs));

describe('a program that uses every library', () => {
  it('compiles with --module nodenext, and runs', async () => {
    const files = Object.keys(programs);
    expect(await compile(files, ['--module', 'nodenext', '--outDir', 'compiled'])).toBe('');
    for (const file of files) {
      const compiled = join('compiled', file.replace('ts', 'js'));
      expect(await own.node([compiled]), file).toEqual({ code: 0, stdout: said, stderr: '' });
    }
  });
});

it('signInterceptor fits the dispatchers of undici 6 to 8', async () => {
  const files = ['undici6', 'undici', 'undici-types8'].map((undici) => {
    own.write({
      [`${undici}.mts`]: `
      import { signInterceptor, type SignInterceptor } from 'orgctl/client';
      import type { Agent, Dispatcher } from '${undici}';
      declare const agent: Agent;
      const interceptor: SignInterceptor = signInterceptor({ origin: 'https://a.example', keyId: 'key_1', secret: 'x' });
      // @ts-expect-error the secret is for one origin
      signInterceptor({ keyId: 'key_1', secret: 'x' });
      export const signing: Dispatcher = agent.compose(interceptor);
      const typed: Dispatcher.DispatcherComposeInterceptor = interceptor;
      export const both: Dispatcher = agent.compose([typed, interceptor]);
      // @ts-expect-error what is composed takes a dispatch function
      agent.compose((dispatch: string) => dispatch);`,
    });
    return `${undici}.mts`;
  });
  expect(await compile(files, ['--module', 'nodenext', '--noEmit', '--skipLibCheck'])).toBe('');
});

// Node.js prints the line that threw, however long it is, and then the error.
it.each([
  ['client', "createClient({ baseUrl: 'x', keyId: 'k', secret: 's' })", /UsageError: .*base URL/],
  [
    'client',
    "createClient({ baseUrl: 'http://127.0.0.1:1', keyId: 'k', secret: 's', retries: 0 }).quotas.read()",
    /NetworkError: .*refused/,
  ],
  ['server', "startServer({ data: '/dev/null' })", /ConfigError: .*\/dev\/null/],
  [
    'signing',
    "verifyRequest({ method: 'GET', target: '/', headers: { 'x-api-key': 'k' }, body: {} }, () => undefined)",
    /UsageError: .*not raw/,
  ],
  ['signing', "signedHeaders({ keyId: 'key_a', secret: 's' }, {})", /UsageError: .*`method` is not a string/],
])('an error of orgctl/%s that nobody catches can be read: %s', async (library, call, said) => {
  own.write({ 'thrower.js': `import * as library from 'orgctl/${library}';\nawait library.${call};\n` });
  const { code, stderr } = await own.node(['thrower.js']);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(said) });
  expect(stderr.length).toBeLessThan(3000);
  const [place = '', line = ''] = stderr.split('\n');
  expect(place).toMatch(/^file:\S+:\d+$/);
  expect(line.length).toBeLessThan(200);
});
