import { describe, expect, it } from 'vitest';
import { errorMessage } from '../../src/api/refusal-message.js';
import { codeBlock } from '../support/pages.js';
import { useOwnProject } from './support/own-project.js';

const page = 'docs/guides/libraries.md';
const own = useOwnProject(['undici', 'express', 'typescript', '@types/node']);

const compiler = 'node_modules/typescript/bin/tsc';
const lib = ['--skipLibCheck', '--lib', 'es2022,esnext.disposable'];

/** Puts blocks of the page into the project, each under the name in its first line. */
function put(...blocks: readonly string[]): void {
  for (const block of blocks) own.write({ [/^\/\/ (\S+)$/m.exec(block)?.[1] ?? '']: `${block}\n` });
}

describe('a program that calls the service, in docs/guides/libraries.md,', () => {
  it('works as it is printed, over HTTPS, and has types that fit', async () => {
    own.write({ 'calls.ts': `${codeBlock(page, "import { readFileSync } from 'node:fs'")}\n` });
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    const compiled = await own.node([compiler, ...options, ...lib, 'calls.ts']);
    expect(compiled).toMatchObject({ code: 0, stdout: '' });
    expect(await own.node(['calls.js'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^team_\w+ ops\n200\n200\n$/),
      stderr: '',
    });
  });
});

/** Asks the service as its client does, and as others do. */
const asking = `
  import { signedFetch } from 'orgctl/client';
  import { app as express } from './express.js';
  const port = await new Promise((resolve) => {
    const server = express.listen(0, '127.0.0.1', () => resolve(server.address().port));
  });
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

const refused = (message: string) => [401, { statusCode: 401, message }];

describe('the service that verifies, in docs/guides/libraries.md,', () => {
  it('lets in who has a key, and nobody else', async () => {
    put(codeBlock(page, '// keys.js'));
    put(codeBlock(page, '// express.js'));
    own.write({ 'asking.js': asking });
    const { stdout, stderr } = await own.node(['asking.js'], { ADA_SECRET: 'correct horse' });
    expect(stderr).toBe('');
    const expected = {
      hmac: [200, { name: 'Zoë' }],
      basic: [200, { name: 'Zoë' }],
      nobody: refused(errorMessage.invalidKey),
      late: refused(errorMessage.invalidTimestamp),
      wrong: refused(errorMessage.invalidSignature),
    };
    expect(JSON.parse(stdout)).toEqual(expected);
  });
});
