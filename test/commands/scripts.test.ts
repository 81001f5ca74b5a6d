import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.js';
import { pageAnswer, scriptedService } from './support/scripted-service.js';

const teams = [
  { id: 'team_1', name: 'a "quoted" one', size: 3 },
  { id: 'team_2', name: 'two', size: null },
];

async function run(...args: string[]) {
  const { env } = await scriptedService({
    'GET /teams': () => pageAnswer(teams, { total: 2, page: 1, pages: 1 }),
  });
  return runCli(args, { env });
}

describe('--raw', () => {
  it.each([
    ['[].name', 'a "quoted" one\ntwo\n'],
    ['[].{id: id}', '{"id":"team_1"}\n{"id":"team_2"}\n'],
    ["[?name=='none'].id", ''],
  ])('prints what %s makes as jq -r does', async (query, stdout) => {
    expect(await run('teams', 'list', '--query', query, '-r')).toMatchObject({ code: 0, stdout, stderr: '' });
  });

  it('needs a query, before anything is sent', async () => {
    const stderr = expect.stringContaining('--query');
    expect(await run('teams', 'list', '--raw')).toMatchObject({ code: 2, stdout: '', stderr });
  });
});

it.each([
  ['-o json', 'json'],
  ['-o jsonl', 'jsonl'],
  ['-o yaml', 'yaml'],
  ['--query [].id', 'json'],
  ['--query [].id -r -o table', '--raw'],
])('--columns is refused before anything is sent with %s', async (line, what) => {
  const ended = await run('teams', 'list', '--columns', 'id', ...line.split(' '));
  const stderr = expect.stringContaining(`--columns is for table and csv, not for ${what}`);
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr });
});

it('--columns are those of the table of a query', async () => {
  const ended = await run('teams', 'list', '--columns', 'name', '--query', "[?name=='two']", '-o', 'csv');
  expect(ended).toMatchObject({ code: 0, stdout: 'name\ntwo\n' });
});

it.each([
  ['table', 'team_1  a "quoted" one\nteam_2  two\n'],
  ['csv', 'team_1,"a ""quoted"" one"\nteam_2,two\n'],
])('--no-headers prints a %s without its first line', async (format, stdout) => {
  const ended = await run('teams', 'list', '-o', format, '--columns', 'id,name', '--no-headers');
  expect([ended.stdout.replaceAll(/ {2,}/g, '  '), ended.stderr]).toEqual([stdout, '']);
});

it('with -o json warnings are JSON lines', async () => {
  const { env } = await scriptedService({
    'GET /teams': () => pageAnswer(teams, { total: 2, page: 1, pages: 1 }),
  });
  const directory = String(env['ORGCTL_CONFIG_DIR']);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'profiles.json'), '{"version":1,"profiles":{}}', { mode: 0o644 });
  chmodSync(directory, 0o755);
  const { stderr } = await runCli(['teams', 'list', '-o', 'json'], { env });
  expect(JSON.parse(stderr)).toEqual({ warning: expect.stringContaining(directory) });
});
