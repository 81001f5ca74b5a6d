import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService({ quotas: { teams: 100 } });
const node = process.execPath;

function newPath(): string {
  return join(temporaryDirectory(), 'calls.jsonl');
}

/** Calls the proxy as a client that knows the key. */
function script(targets: readonly string[]): string {
  const { keyId, secret } = service.server;
  const authorization = `Basic ${Buffer.from(`${keyId}:${secret}`).toString('base64')}`;
  return `
    (async () => {
      for (const target of ${JSON.stringify(targets)})
        await (await fetch(process.env.ORGCTL_BASE_URL + target, { headers: { authorization: '${authorization}' } })).text();
      const body = JSON.stringify({ name: 'b', config: { password: 'hunter2-hunter2' } });
      await fetch(process.env.ORGCTL_BASE_URL + '/connections', { method: 'POST', body, headers: { authorization: '${authorization}', 'content-type': 'application/json' } });
    })();`;
}

async function record(
  flags: readonly string[],
  targets: readonly string[] = ['/teams', '/teams?limit=1', '/quotas'],
) {
  return runCli(['proxy', ...flags, '--', node, '-e', script(targets)], { env: service.environment() });
}

describe('proxy --record', () => {
  it('keeps exchanges in a new file of this user, whatever the umask, with secrets masked', async () => {
    const file = newPath();
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    expect((await record(['--record', file])).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    for (const secret of [service.server.secret, 'hunter2-hunter2']) expect(text).not.toContain(secret);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ method, target, status }) => [method, target, status])).toEqual([
      ['GET', '/teams', 200],
      ['GET', '/teams?limit=1', 200],
      ['GET', '/quotas', 200],
      ['POST', '/connections', 400],
    ]);
    expect(lines[0].requestHeaders).toContainEqual(['authorization', 'Basic ********']);
  });

  it.skipIf(process.platform === 'win32')('writes through nothing that is there already', async () => {
    const file = newPath();
    const other = newPath();
    writeFileSync(other, 'mine', { mode: 0o644 });
    const places: Readonly<Record<string, () => unknown>> = {
      'a link to a file': () => symlinkSync(other, file),
      'a link to nothing': () => symlinkSync(`${other}.new`, file),
      'a pipe': () => execFileSync('mkfifo', [file]),
      'a directory': () => mkdirSync(file),
      'a file that others may write': () => {
        writeFileSync(file, 'mine');
        chmodSync(file, 0o666);
      },
    };
    for (const [what, make] of Object.entries(places)) {
      make();
      const before = lstatSync(file);
      const refused = {
        code: 2,
        stderr: expect.stringContaining(`cannot record to ${file}: it already exists`),
      };
      expect(await record(['--record', file]), what).toMatchObject(refused);
      const { ino, size, mode } = lstatSync(file);
      expect({ ino, size, mode }, what).toEqual({ ino: before.ino, size: before.size, mode: before.mode });
      rmSync(file, { recursive: true });
    }
    expect(readFileSync(other, 'utf8')).toBe('mine');
    expect(existsSync(`${other}.new`)).toBe(false);
  });

  it.each([
    ['a proxy that did not start', ['--fault', 'no', '--', 'true'], 2],
    ['a command that did not start', ['--', newPath()], 127],
    ['a command that sent nothing', ['--', node, '-e', 'process.exit(3)'], 3],
  ])('leaves no file of %s', async (_name, args, code) => {
    const file = newPath();
    const env = service.environment();
    expect(await runCli(['proxy', '--record', file, ...args], { env })).toMatchObject({ code });
    expect(existsSync(file)).toBe(false);
  });
});

describe('serve --replay', () => {
  it('answers recorded GETs by their exact targets, and everything else as usual', async () => {
    const file = newPath();
    await record(['--record', file], ['/teams', '/teams?limit=1', '/*']);
    const other = readFileSync(file, 'utf8').replaceAll('\\"total\\":0', '\\"total\\":7');
    const half = other.slice(0, 50);
    writeFileSync(file, `${other}${half}`);
    const ask = `
      const authorization = 'Basic ' + Buffer.from(process.env.ORGCTL_KEY_ID + ':' + process.env.ORGCTL_SECRET).toString('base64');
      (async () => {
        for (const target of ['/teams', '/teams?limit=1', '/teams?limit=2'])
          console.log(JSON.parse(await (await fetch(process.env.ORGCTL_BASE_URL + target, { headers: { authorization } })).text()).total);
      })();`;
    const ended = await runCli(['serve', '--http', '--replay', file, '--', node, '-e', ask]);
    expect(ended).toMatchObject({ code: 0, stdout: '7\n7\n0\n' });
  });

  it.each([
    [100, 0],
    [101, 2],
  ])('answers at most 100 GETs: %i', async (count, code) => {
    const file = newPath();
    await record(['--record', file], ['/teams?limit=1']);
    const [line = ''] = readFileSync(file, 'utf8').split('\n');
    const lines = Array.from({ length: count }, (_, nth) => line.replace('limit=1', `limit=${nth + 1}`));
    writeFileSync(file, lines.map((each) => `${each}\n`).join(''));
    expect(await runCli(['serve', '--http', '--replay', file, '--', node, '-e', '0'])).toMatchObject({
      code,
    });
  });
});

it('serve --replay answers below the base path of a dialect', async () => {
  const file = newPath();
  const text = '{"items":[],"total":7}';
  await record(['--record', file], ['/teams?limit=1']);
  const [line = ''] = readFileSync(file, 'utf8').split('\n');
  const exchange: object = JSON.parse(line);
  const below = { ...exchange, target: '/api/v1/teams?limit=1', body: { text } };
  writeFileSync(file, `${JSON.stringify(below)}\n`);
  const ask = `
    const authorization = 'Basic ' + Buffer.from(process.env.ORGCTL_KEY_ID + ':' + process.env.ORGCTL_SECRET).toString('base64');
    (async () => {
      console.log(await (await fetch(process.env.ORGCTL_BASE_URL + '/teams?limit=1', { headers: { authorization } })).text());
    })();`;
  const ended = await runCli([
    'serve',
    '--http',
    '--dialect',
    'camel',
    '--replay',
    file,
    '--',
    node,
    '-e',
    ask,
  ]);
  expect(ended).toMatchObject({ code: 0, stdout: `${text}\n` });
});
