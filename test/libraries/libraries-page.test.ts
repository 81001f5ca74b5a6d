import { beforeAll, describe, expect, it } from 'vitest';
import { errorMessage } from '../../src/api/error-message.js';
import { codeBlock } from '../support/pages.js';
import { useOwnProject } from './support/own-project.js';

const page = 'docs/guides/libraries.md';
const own = useOwnProject({
  vitest: ['.', 'vitest'],
  fastify: ['.', 'fastify'],
  express: ['test/libraries', 'express'],
  hono: ['test/libraries', 'hono'],
  '@hono/node-server': ['test/libraries', '@hono/node-server'],
  typescript: ['.', 'typescript'],
  '@types/node': ['.', '@types/node'],
});

/** Puts blocks of the page into the project, each under the name in its first line. */
function put(...blocks: readonly string[]): void {
  for (const block of blocks) own.write({ [/^\/\/ (\S+)$/m.exec(block)?.[1] ?? '']: `${block}\n` });
}

describe('docs/guides/libraries.md', () => {
  const client = codeBlock(page, '// client.ts');

  beforeAll(() => {
    put(
      codeBlock(page, '// vitest.config.ts'),
      codeBlock(page, '// service.setup.ts'),
      codeBlock(page, '// service.ts'),
      codeBlock(page, '// teams.test.ts'),
      codeBlock(page, '// clock.test.ts'),
      client,
    );
  });

  it('has one service for all files of Vitest, steers it, fakes clocks, and has a client of 20 lines', async () => {
    const [, body = ''] = client.split(/^export async function call.*\n/m);
    expect(body.split('\n').length).toBeLessThanOrEqual(20);
    own.write({
      'client.test.ts': `
        import { beforeEach, expect, inject, it } from 'vitest';
        import { call } from './client.js';
        import { control } from './service.js';
        beforeEach(() => control('POST', 'reset'));
        it('calls', async () => {
          const service = inject('service');
          const { id } = await call(service, 'POST', '/teams', { name: 'Zoë' });
          expect((await call(service, 'GET', '/teams?limit=5')).data).toMatchObject([{ id, name: 'Zoë' }]);
          expect(await call(service, 'DELETE', '/teams/' + id)).toBeUndefined();
          await expect(call(service, 'GET', '/teams/' + id)).rejects.toMatchObject({ status: 404 });
        });`,
    });
    const cli = 'node_modules/vitest/vitest.mjs';
    const ended = await own.node([
      cli,
      'run',
      'client.test.ts',
      'clock.test.ts',
      'teams.test.ts',
      '--reporter=json',
    ]);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('"numFailedTests":0') });
    expect(JSON.parse(ended.stdout)).toMatchObject({ numPassedTests: 5, numTotalTests: 5 });
  });

  it('has a service for node:test', async () => {
    put(codeBlock(page, '// quotas.test.mjs'));
    const { code, stdout } = await own.node(['--test', '--test-reporter', 'tap', 'quotas.test.mjs']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^# pass 1$/m) });
  });

  it('has types that fit, where it is TypeScript', async () => {
    const files = ['service.setup.ts', 'teams.test.ts', 'clock.test.ts', 'client.ts'];
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    const compiler = 'node_modules/typescript/bin/tsc';
    const lib = ['--skipLibCheck', '--lib', 'es2022,esnext.disposable'];
    expect(await own.node([compiler, ...options, ...lib, ...files])).toMatchObject({ code: 0, stdout: '' });
  });
});

/** Asks the service of a block, started as `start` says, as its client does and as others do. */
function asking(block: string, start: string): string {
  return `
    import { signedFetch } from 'orgctl/client';
    import { app } from './${block}';
    ${start}
    const credential = { keyId: 'key_ada', secret: process.env.ADA_SECRET };
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{ "name":"Zoë" }' };
    const senders = {
      hmac: signedFetch(credential),
      basic: signedFetch({ ...credential, auth: 'basic' }),
      nobody: fetch,
      late: signedFetch({ ...credential, clock: () => Date.now() - 600_000 }),
      wrong: signedFetch({ ...credential, secret: 'x' }),
    };
    const answers = {};
    for (const [name, send] of Object.entries(senders)) {
      const answer = await send('http://127.0.0.1:' + port + '/echo?a=%2F%c3&b', sent);
      answers[name] = [answer.status, await answer.json()];
    }
    console.log(JSON.stringify(answers));
    process.exit();`;
}

const refused = (message: string) => [401, { statusCode: 401, message }];
const listening = `
  const server = await new Promise((resolve) => { const one = app.listen(0, '127.0.0.1', () => resolve(one)); });
  const { port } = server.address();`;

describe('the service that verifies, in docs/guides/libraries.md,', () => {
  it.each([
    [
      codeBlock(page, '// fastify.js'),
      "const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));",
    ],
    [codeBlock(page, '// express.js'), listening],
    [
      codeBlock(page, '// hono.js'),
      `import { serve } from '@hono/node-server';
       const { port } = await new Promise((resolve) => serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, resolve));`,
    ],
  ])('lets in who has a key, and nobody else', async (block, start) => {
    put(codeBlock(page, '// keys.js'), block);
    own.write({ 'asking.js': asking(/^\/\/ (\S+)$/m.exec(block)?.[1] ?? '', start) });
    const { stdout, stderr } = await own.node(['asking.js'], { ADA_SECRET: 'correct horse' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      hmac: [200, { name: 'Zoë' }],
      basic: [200, { name: 'Zoë' }],
      nobody: refused(errorMessage.invalidKey),
      late: refused(errorMessage.invalidTimestamp),
      wrong: refused(errorMessage.invalidSignature),
    });
  });
});
