import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dialectJsonSchema } from '../../src/api/dialect/dialect.js';
import { presets } from '../../src/api/dialect/presets.js';
import { codeBlock, pageText } from '../support/pages.js';
import { runCli, temporaryDirectory } from '../support/run-cli.js';
import { serviceEnvironment } from '../support/service.js';
import { fileOf } from './support/connection-entries.js';
import { type Ready, startServe } from './support/serve.js';

const page = 'docs/reference/dialects.md';

const file = (name: string, text: string) => fileOf(text, name);

/** What a signed request gets: status, headers and body, without white space. */
async function ask(ready: Ready, ...args: string[]) {
  const ended = await runCli(['request', ...args, '-i'], { env: serviceEnvironment(ready) });
  return ended.stdout.replaceAll(/\s+/g, '');
}

describe('docs/reference/dialects.md', () => {
  it('has a dialect and a stub that serve takes as they stand', async () => {
    const dialect = file('dialect.yaml', codeBlock(page, '# yaml-language-server'));
    const answer = file('answer.yaml', codeBlock(page, 'status: 200'));
    const { ready, stop } = await startServe([
      ...['--ephemeral', '--dialect', dialect, '--stub', `GET /by-hand=@${answer}`],
    ]);
    expect(ready.url).toMatch(/\/v2$/);
    const created = await ask(ready, 'POST', '/connections', '-d', '{"name":"a","type":"x","config":{}}');
    expect(created).toMatch(/^HTTP\/1\.1202.*location:\/v2\/connections\/conn_/i);
    expect(await ask(ready, 'GET', '/connections')).toContain('"results":[{"id":"conn_');
    expect(await ask(ready, 'GET', '/teams')).toMatch(/^HTTP\/1\.1501.*"detail":"NotImplemented"/);
    const stubbed = await ask(ready, 'GET', '/by-hand');
    expect(stubbed).toMatch(/link:<\/teams\?page=2>;rel="next"/i);
    expect(stubbed).toContain('[{"id":"team_1","name":"platform"}]');
    await stop();
  });

  it('has commands that write a dialect, serve it, and find that it is the same', async () => {
    const block = codeBlock(page, 'orgctl probe ');
    const [show = [], write = [], serve = [], compare = []] = block
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim().split(/\s+/).slice(1));
    const cwd = temporaryDirectory();
    const first = await startServe(['--ephemeral', '--dialect', 'bare']);
    const env = serviceEnvironment(first.ready);
    expect((await runCli(show, { env })).stdout).toContain('*');
    const [redirection, name = ''] = write.splice(-2);
    expect(redirection).toBe('>');
    writeFileSync(join(cwd, name), (await runCli(write, { env })).stdout);
    await first.stop();
    const twin = await startServe([...serve.slice(1, 2), join(cwd, name), '--ephemeral']);
    const same = await runCli(compare, { env: serviceEnvironment(twin.ready), cwd });
    expect(same).toMatchObject({ code: 0, stdout: '' });
    await twin.stop();
  });

  it('names every preset and every field', () => {
    const text = pageText(page);
    for (const name of Object.keys(presets)) expect(text).toContain(`| \`${name}\` |`);
    const { properties } = dialectJsonSchema() as { properties: Record<string, { properties?: object }> };
    const fields = Object.entries(properties).flatMap(([name, { properties: inner }]) =>
      inner === undefined ? [name] : Object.keys(inner).map((field) => `${name}.${field}`),
    );
    expect(fields.filter((field) => !text.includes(`\`${field}`) && field !== 'kinds')).toEqual([]);
  });
});

it.each([
  ['dialect: 1\nlist:\n  paging: pages\n', '3: list.paging: '],
  ['dialect: 1\n---\ndialect: 1\n', ':3:1: a dialect must be one document'],
])('serve --dialect refuses the file %j', async (text, problem) => {
  const path = file('bad.yaml', text);
  const ended = await runCli(['serve', '--ephemeral', '--dialect', path]);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(path);
  expect(ended.stderr).toContain(problem);
});

it.each([
  ['GET /teams=200 {', 'not JSON'],
  ['GET /teams=200 @/nowhere/at/all', '/nowhere/at/all'],
  [`GET /teams=@${file('answer.yaml', 'status: 200\nrequest: GET /x\n')}`, 'request'],
])('serve --stub refuses %s', async (stub, problem) => {
  const ended = await runCli(['serve', '--ephemeral', '--stub', stub]);
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(problem)]);
});
