import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyEnvironment, errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { startServe } from './support/serve.js';

describe('serve', () => {
  it('a ready file that cannot be written leaves nothing running and nothing behind', async () => {
    const path = join(temporaryDirectory(), 'taken');
    mkdirSync(join(path, 'by'), { recursive: true });
    const ended = await runCli(['serve', '--ephemeral', '--port', '0', '--ready-file', path]);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--ready-file') });
    expect(readdirSync(join(path, '..'))).toEqual(['taken']);
  });
});

it.each([
  ['an old one', '{"event":"ready","url":"of a killed server, readable by all"}\n'],
  ['an empty file', ''],
])(
  'serve --ready-file replaces %s, for its owner alone, and is removed at the end',
  async (_what, content) => {
    const directory = temporaryDirectory();
    const path = join(directory, 'ready.json');
    writeFileSync(path, content);
    const { ready, stop } = await startServe(['--ephemeral', '--ready-file', path]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(ready);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['ready.json']);
    await stop();
    expect(readdirSync(directory)).toEqual([]);
  },
);

it.each<[what: string, make: (path: string) => void]>([
  ['notes', (path) => writeFileSync(path, 'notes')],
  ['JSON of another program', (path) => writeFileSync(path, '{"event":"stop"}')],
  ['a link', (path) => symlinkSync('/dev/null', path)],
  ['a link to nothing', (path) => symlinkSync('nowhere', path)],
  ['a directory', (path) => mkdirSync(path)],
])('serve --ready-file leaves %s in its place, and starts nothing', async (_what, make) => {
  const directory = temporaryDirectory();
  const path = join(directory, 'ready.json');
  make(path);
  const before = lstatSync(path).ino;
  const data = join(directory, 'data');
  const ended = await runCli(['serve', '--port', '0', '--data', data, '--ready-file', path, '--', 'true']);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain(`--ready-file ${path} already exists, and is not a ready file`);
  expect(lstatSync(path).ino).toBe(before);
  expect(readdirSync(directory)).toEqual(['ready.json']);
});

it('serve --ready-file of another server is left alone', async () => {
  const path = join(temporaryDirectory(), 'ready.json');
  const { stop } = await startServe(['--ephemeral', '--ready-file', path]);
  writeFileSync(path, 'of a later server');
  await stop();
  expect(readFileSync(path, 'utf8')).toBe('of a later server');
});

describe('serve --database', () => {
  it.each([
    'postgres://user:hunter2@host/db',
    'postgresql://:hunter2@host',
    'postgres://host/db?user=u&password=hunter2',
  ])('takes no password from the command line: %s', async (url) => {
    const ended = await runCli(['serve', '--database', url, '-o', 'json']);
    expect(ended.code).toBe(2);
    expect(errorOf(ended)).toMatchObject({
      message: expect.stringContaining('password'),
      hint: expect.stringContaining('ORGCTL_SERVE_DATABASE'),
    });
    expect(ended.stderr + ended.stdout).not.toContain('hunter2');
  });

  // Which URLs are refused without their passwords: test/postgres/connection-url.test.ts.
  it.each([
    'postgres://user:hunter2@host/db?sslmod=require',
    'hunter2',
    'postgres://u:hunter2@127.0.0.1:1/db',
  ])('repeats no password of ORGCTL_SERVE_DATABASE: %s', async (url) => {
    const own = { ORGCTL_SERVE_DATABASE: url, ORGCTL_SERVE_MASTER_KEY: '5'.repeat(64) };
    const env = { ...emptyEnvironment(), ...own };
    const ended = await runCli(['serve', '--port', '0', '-v'], { env });
    expect(ended.code).toBe(3);
    expect(ended.stderr + ended.stdout).not.toContain('hunter2');
  });
});
