import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseBasicAuthorization, verifySignature } from '../../src/signing/index.js';
import { emptyEnvironment, errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.warn('curl is not installed: its commands are not run');

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

describe.skipIf(!hasCurl)('a curl command of sign, pasted', () => {
  const service = useService({ quotas: { connections: 50 } });

  it.each(['hmac', 'basic'])('is answered by the service over HTTPS, with --auth %s', async (auth) => {
    const command = await curlCommand(['GET', '/quotas?a=1', '--auth', auth], service.environment());
    expect(command).toContain(`--cacert '${service.server.caFile}'`);
    expect(JSON.parse(await paste(command))).toHaveProperty('data');
  });

  it('creates what its body says, quotes, line feeds and all', async () => {
    const name = 'it\'s "ö"\n漢字 🙂 $HOME `x` %s \\';
    const config = { host: 'db', port: 5432, database: 'd', user: 'u', password: 'p', ssl: true };
    const body = JSON.stringify({ name, type: 'pg', config }, null, 2);
    const command = await curlCommand(['POST', '/connections', '-d', body], service.environment());
    expect(JSON.parse(await paste(command))).toMatchObject({ name });
  });

  it('gets the headers alone with HEAD', async () => {
    const answer = await paste(await curlCommand(['HEAD', '/connections'], service.environment()));
    expect(answer).toMatch(/^HTTP\/1\.1 \d{3} /);
    expect(answer.toLowerCase()).toContain('x-quota-limit: 50');
  });
});

describe.skipIf(!hasCurl)('a curl command of sign sends to the byte what was signed', () => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { method = '', url = '', headers } = request;
    received.push(`${method} ${url} ${headers['content-type'] ?? ''}`);
    const isBasic = headers.authorization !== undefined;
    const verified = isBasic
      ? parseBasicAuthorization(headers.authorization ?? '')?.secret === secret
      : verifySignature(
          secret,
          {
            method,
            target: url,
            timestamp: String(headers['x-api-timestamp']),
            contentType: headers['content-type'] ?? '',
            body,
          },
          String(headers['x-api-signature']),
        );
    response.setHeader('x-verified', String(verified));
    response.end(`${verified} ${body.length}`);
  });
  const environment = () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    return {
      ...emptyEnvironment(),
      ORGCTL_BASE_URL: `http://127.0.0.1:${port}/base`,
      ORGCTL_KEY_ID: "key_it's",
      ORGCTL_SECRET: secret,
    };
  };
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  const visible = String.fromCharCode(...Array.from({ length: 94 }, (_, at) => 0x21 + at)).replace('#', '');
  const bodies: readonly [what: string, body: string | Buffer][] = [
    ['quotes and line feeds', `{"a":'b'}\n"c"\r\n`],
    ['UTF-8', 'ä 漢字 🙂'],
    ['text that curl could take for a file', '@/etc/hostname'],
    ['text that printf could take for a format', '%s%d\\n\\052 \u001b[31m %'],
    ['trailing line feeds', 'a\n\n\n'],
    ['control characters and bidirectional marks', 'a\u0000b\u001b\u202e\u007f'],
    ['a NUL', Buffer.from([0, 1, 0])],
    ['every byte', Buffer.from(Array.from({ length: 256 }, (_, at) => at))],
    ['more than an argument can be', Buffer.alloc(300_000, 'x')],
  ];

  it.each(bodies)('a body of %s', async (_what, body) => {
    const args = ['POST', '/x', '-d', fileWith(body), '--content-type', 'text/plain; x="y\'z"'];
    expect(await paste(await curlCommand(args, environment()))).toBe(`true ${Buffer.from(body).length}`);
    const basic = await curlCommand([...args, '--auth', 'basic'], environment());
    expect(await paste(basic)).toBe(`true ${Buffer.from(body).length}`);
  });

  it.each([
    ['every visible character', `/${visible}?${visible}`],
    ['globs, ranges and dot segments', '/a/../b/./c?x=[1-3]&y={a,b}&z=%00%2e'],
    ['a bare question mark', '/a?'],
  ])('a target of %s', async (_what, target) => {
    expect(await paste(await curlCommand(['GET', target], environment()))).toBe('true 0');
    expect(received.at(-1)).toBe(`GET /base${target} `);
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'post'])('the method %s', async (method) => {
    expect(await paste(await curlCommand([method, '/x'], environment()))).toBe('true 0');
    expect(received.at(-1)).toBe(`${method.toUpperCase()} /base/x `);
  });

  it('a content type without a body, which is sent and not signed', async () => {
    const command = await curlCommand(['POST', '/x', '--content-type', 'text/plain'], environment());
    expect(await paste(command)).toBe('true 0');
    expect(received.at(-1)).toBe('POST /base/x text/plain');
  });

  it('HEAD', async () => {
    const answer = await paste(await curlCommand(['HEAD', '/x'], environment()));
    expect(answer).toMatch(/x-verified: true/i);
  });
});

describe('no curl command', () => {
  const env = { ...emptyEnvironment(), ORGCTL_KEY_ID: 'key_a', ORGCTL_SECRET: secret };

  it('is there without an address', async () => {
    const ended = await runCli(['sign', 'GET', '/x', '--format', 'curl', '-o', 'json'], { env });
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(errorOf(ended)).toMatchObject({ code: 'config', hint: expect.stringContaining('--base-url') });
    const explained = await runCli(['sign', 'GET', '/x'], { env });
    expect(explained.code).toBe(0);
    expect(explained.stdout).toContain('curl: none (no base URL is set)');
  });

  it('is there for HEAD with a body', async () => {
    const withUrl = { ...env, ORGCTL_BASE_URL: 'https://api.example.com' };
    const ended = await runCli(['sign', 'HEAD', '/x', '-d', 'x', '--format', 'curl'], { env: withUrl });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
  });

  it('has a Basic credential among its arguments', async () => {
    const withUrl = { ...env, ORGCTL_BASE_URL: 'https://api.example.com' };
    const command = await curlCommand(['GET', '/x', '--auth', 'basic'], withUrl);
    const [arguments_ = '', document] = command.split("<<'END'\n");
    expect(arguments_).not.toContain('Basic');
    expect(document).toMatch(/^Authorization: Basic \S+\nEND\n$/);
  });
});
