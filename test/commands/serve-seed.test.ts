import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { runWith, startServe } from './support/serve.js';

function file(name: string, text: string): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, text);
  return path;
}

describe('serve --seed', () => {
  const secret = 's'.repeat(64);
  const keys = `"keys": [{"id": "key_acme", "secret": "${secret}"}], "teams": [{"name": "one"}]`;

  it.each([
    ['seed.yaml', 'port: 9007199254740993, database: 1e999'],
    ['seed.json', '"port": 9007199254740993, "database": 1e999'],
  ])('begins with what %s holds, its numbers as they are, and tells its keys', async (name, config) => {
    const connections = `"connections": [{"name": "n", "type": "x", "config": {${config}}}]`;
    const text = `{"organizations": [{"name": "acme", ${keys}, ${connections}}]}`;
    const { ready, stop } = await startServe(['--ephemeral', '--seed', file(name, text)]);
    const key = { keyId: 'key_acme', secret };
    expect(ready).toMatchObject({ ...key, keys: [{ organization: ready.organization, ...key }] });
    const teams = await runWith(ready, ['teams', 'list', '-o', 'json', '--query', '[].name']);
    expect(JSON.parse(teams.stdout)).toEqual(['one']);
    const { stdout } = await runWith(ready, ['connections', 'list', '-o', 'jsonl']);
    expect(stdout).toContain('"config":{"port":9007199254740993,"database":1e999}');
    await stop();
  });

  // Each problem of a seed: test/server/seed.engines.test.ts.
  it('names every problem with its line, and starts nothing', async () => {
    const text = [
      'organizations:',
      '  - name: acme',
      '    keys:',
      '      - id: acme',
      '        secret: swordfish',
      '    teams:',
      '      - title: two',
    ].join('\n');
    const path = file('seed.yaml', text);
    const env = emptyEnvironment();
    const ended = await runCli(['serve', '--port', '0', '--seed', path], { env });
    expect(ended.code).toBe(2);
    const problems = ended.stderr.split('\n').filter((line) => line.startsWith(`  ${path}:`));
    expect(problems.map((line) => line.replace(`  ${path}:`, ''))).toEqual([
      '4: organizations[0].keys[0].id: must be key_ and letters, digits, - or _',
      '5: organizations[0].keys[0].secret: must be 64 visible ASCII characters',
      '7: organizations[0].teams[0].name: required (string)',
      '7: organizations[0].teams[0]: unknown field "title"; known fields: id, name',
    ]);
    expect(ended.stderr).not.toContain('swordfish');
    expect(existsSync(join(env['XDG_DATA_HOME'] ?? '', 'orgctl'))).toBe(false);
  });

  it('refuses a variable that was not UTF-8, and does not fill it in', async () => {
    const connection = { name: 'n', type: 'mysql', config: { password: { $secret: { env: 'MISREAD' } } } };
    const path = file(
      'seed.json',
      JSON.stringify({ organizations: [{ name: 'a', connections: [connection] }] }),
    );
    const env = { ...emptyEnvironment(), MISREAD: 'swordfish\uFFFD' };
    const ended = await runCli(['serve', '--port', '0', '--seed', path], { env });
    expect(ended.stderr).toContain('the variable MISREAD contains U+FFFD');
    expect(ended).toMatchObject({ code: 2, stderr: expect.not.stringContaining('swordfish') });
  });
});
