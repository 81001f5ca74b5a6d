import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseBasicAuthorization, verifySignature } from '../../../src/signing/index.js';
import { isMissing } from '../../support/programs.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../../support/run-cli.js';

const secret = "0123456789abcdef'0123456789abcdef 0123456789abcdef$0123456789ab\\n";

async function curlCommand(args: readonly string[], env: Record<string, string | undefined>) {
  const ended = await runCli(['sign', ...args, '--format', 'curl'], { env });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return ended.stdout;
}

/** Runs the command as a shell does that it is piped into. Settings of the developer's own curl do not count. */
async function paste(command: string): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: temporaryDirectory() };
  const shell = promisify(execFile)('sh', { env });
  shell.child.stdin?.end(command);
  const { stdout, stderr } = await shell;
  expect(stderr).toBe('');
  return stdout;
}

function fileWith(content: string | Buffer): string {
  const path = join(temporaryDirectory(), 'body');
  writeFileSync(path, content);
  return `@${path}`;
}

describe.skipIf(isMissing('curl', 'bash'))('a curl command of sign sends to the byte what was signed', () => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { method = '', url = '', headers } = request;
    received.push(`${method} ${url} ${headers['content-type'] ?? ''}`);
    const timestamp = String(headers['x-api-timestamp']);
    const signed = { method, target: url, timestamp, contentType: headers['content-type'] ?? '', body };
    const verified =
      headers.authorization === undefined
        ? verifySignature(secret, signed, String(headers['x-api-signature']))
        : parseBasicAuthorization(headers.authorization)?.secret === secret;
    response.setHeader('x-verified', String(verified));
    response.end(`${verified} ${body.length}`);
  });
  const environment = () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    return {
      ...emptyEnvironment(),
      ORGCTL_BASE_URL: `http://127.0.0.1:${port}/base`,
      ORGCTL_KEY_ID: 'key_a',
      ORGCTL_SECRET: secret,
    };
  };
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  const visible = String.fromCharCode(...Array.from({ length: 94 }, (_, at) => 0x21 + at)).replace('#', '');
  it.each([
    ['signs of a shell, curl and printf', `@/etc/hostname {"a":'b'}\n"c"\r\n $HOME %s\\n\\052`],
    ['control characters and bidirectional marks', 'ä 漢字 🙂 a\u0000b\u001b\u202e\u007f'],
    ['every byte', Buffer.from(Array.from({ length: 256 }, (_, at) => at))],
    ['more than an argument can be', Buffer.alloc(300_000, 'x')],
  ])('a body of %s', async (_what, body) => {
    const args = ['POST', '/x', '-d', fileWith(body), '--content-type', 'text/plain; x="y\'z"'];
    for (const auth of ['hmac', 'basic']) {
      const command = await curlCommand([...args, '--auth', auth], environment());
      expect(await paste(command)).toBe(`true ${Buffer.from(body).length}`);
    }
  });

  it.each([
    ['every visible character', `/${visible}?${visible}`],
    ['globs, ranges and dot segments', '/a/../b/./c?x=[1-3]&y={a,b}&z=%00%2e'],
  ])('a target of %s', async (_what, target) => {
    expect(await paste(await curlCommand(['GET', target], environment()))).toBe('true 0');
    expect(received.at(-1)).toBe(`GET /base${target} `);
  });
});
