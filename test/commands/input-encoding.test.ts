import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { runCli, temporaryDirectory } from '../support/run-cli.js';
import { createdAnswer, quotaAnswer, scriptedService } from './support/scripted-service.js';

const flags = ['connections', 'create', '--name', 'a', '--host', 'h', '--database', 'd', '--user', 'u'];

/** Runs a line in a directory with files, and says what was posted. */
async function run(
  args: readonly string[],
  {
    files = {},
    ...options
  }: Parameters<typeof runCli>[1] & { readonly files?: Record<string, Buffer | string> },
) {
  const { env, posted } = await scriptedService({
    'GET /quotas': () => quotaAnswer(10),
    'GET /connections': () => httpAnswer(200, { data: [], total: 0, page: 1, limit: 100 }),
    'POST /connections': createdAnswer,
    'POST /teams': createdAnswer,
    'POST /api-keys': createdAnswer,
  });
  const cwd = temporaryDirectory();
  mkdirSync(cwd, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  const ended = await runCli(args, { ...options, cwd, env: { ...env, ...options.env } });
  return { ...ended, posted: posted() };
}

const latin1 = Buffer.from('visible\xe9', 'latin1');
const misread = latin1.toString();
const utf16 = Buffer.from('visible', 'utf16le');
const fileOf = (password: string) =>
  `version: 1\nconnections:\n  - name: a\n    type: postgresql\n    config: { host: h, port: 1, database: d, user: u, ssl: true, password: ${password} }\n`;
const apply = ['apply', 'org.yaml', '--yes'];
const entry = JSON.stringify([
  {
    name: 'a',
    type: 'postgresql',
    config: { host: 'h', port: 1, database: 'd', user: 'u', password: { env: 'PW' } },
  },
]);

describe('a password', () => {
  it.each<[string, string[], Parameters<typeof run>[1]]>([
    ['on stdin', [...flags, '--password-stdin'], { stdin: latin1 }],
    ['on stdin, in UTF-16', [...flags, '--password-stdin'], { stdin: utf16 }],
    ['in a variable', [...flags, '--password-env', 'PW'], { env: { PW: misread } }],
    [
      'in a URL on stdin',
      ['connections', 'create', '--name', 'a', '--url-stdin'],
      { stdin: Buffer.from('postgres://u:p\xe9@h/d', 'latin1') },
    ],
    [
      'in a variable that a file of entries names',
      ['connections', 'create', '--file', '-'],
      { stdin: entry, env: { PW: misread } },
    ],
    [
      'in a file that an organization names',
      apply,
      { files: { 'org.yaml': fileOf('{ file: pw }'), pw: latin1 } },
    ],
    [
      'in a variable that an organization names',
      apply,
      { files: { 'org.yaml': fileOf('{ env: PW }') }, env: { PW: misread } },
    ],
    ['from a command', apply, { files: { 'org.yaml': fileOf(String.raw`{ command: printf '\351' }`) } }],
  ])('that is not UTF-8 is refused, and not shown: %s', async (_where, args, options) => {
    const ended = await run(args, options);
    expect(ended).toMatchObject({ code: 2, stdout: '', posted: [] });
    expect(ended.stderr).toContain('to UTF-8 first');
    expect(ended.stderr).not.toContain('visible');
  });
});
