import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ended, emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { type Ready, startServe } from './support/serve.js';

function file(name: string, text: string): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, text);
  return path;
}

/** Runs `orgctl` against a server that a test started. */
function client(ready: Ready, args: readonly string[], changes = {}): Promise<Ended> {
  const { url, keyId, secret, caFile } = ready;
  const environment = {
    ORGCTL_BASE_URL: url,
    ORGCTL_KEY_ID: keyId,
    ORGCTL_SECRET: secret,
    ORGCTL_CA_FILE: caFile,
  };
  return runCli(args, { env: { ...emptyEnvironment(), ...environment, ...changes } });
}

describe('serve --seed', () => {
  const secret = 's'.repeat(64);

  it.each([
    [
      'seed.yaml',
      `organizations:\n  - name: acme\n    keys: [{ id: key_acme, secret: ${secret} }]\n    teams: [{ name: one }]\n`,
    ],
    [
      'seed.json',
      JSON.stringify({
        organizations: [{ name: 'acme', keys: [{ id: 'key_acme', secret }], teams: [{ name: 'one' }] }],
      }),
    ],
  ])('begins with what %s holds, and tells its keys in the ready line', async (name, text) => {
    const { ready, stop } = await startServe(['--ephemeral', '--seed', file(name, text)]);
    expect(ready).toMatchObject({
      keyId: 'key_acme',
      secret,
      keys: [{ organization: ready.organization, keyId: 'key_acme', secret }],
    });
    const { stdout } = await client(ready, ['teams', 'list', '-o', 'json', '--query', '[].name']);
    expect(JSON.parse(stdout)).toEqual(['one']);
    await stop();
  });

  it.each([
    ['seed.yaml', 'port: 9007199254740993, database: 1e999'],
    ['seed.json', '"port": 9007199254740993, "database": 1e999'],
  ])('keeps the numbers of %s as they are', async (name, config) => {
    const connection = `"name": "n", "type": "x", "config": {${config}}`;
    const text = `{"organizations": [{"name": "a", "connections": [{${connection}}]}]}`;
    const { ready, stop } = await startServe(['--ephemeral', '--seed', file(name, text)]);
    const { stdout } = await client(ready, ['connections', 'list', '-o', 'jsonl']);
    expect(stdout).toContain('"config":{"port":9007199254740993,"database":1e999}');
    await stop();
  });

  it('names every problem with its line, and starts nothing', async () => {
    const text = [
      'organizations:',
      '  - name: acme',
      '    keys:',
      '      - id: acme',
      '        secret: swordfish',
      '    teams:',
      '      - name: one',
      '      - title: two',
      '        label: ""',
      '    quotas: { teams: -1 }',
      '    connections:',
      '      - name: app',
      '        type: "pg\\0"',
      '        id: conn_a',
      '      - id: conn_a',
    ].join('\n');
    const path = file('seed.yaml', text);
    const env = emptyEnvironment();
    const ended = await runCli(['serve', '--port', '0', '--seed', path], { env });
    expect(ended.code).toBe(2);
    const problems = ended.stderr
      .split('\n')
      .filter((line) => line.includes(`${path}:`) && line.startsWith('  '));
    expect(
      problems.map((line) => line.replace(`  ${path}:`, '').replace(/: Inv.*|: must be at.*/, '')),
    ).toEqual([
      '4: organizations[0].keys[0].id: must be key_ and letters, digits, - or _',
      '5: organizations[0].keys[0].secret: must be 64 visible ASCII characters',
      '8: organizations[0].teams[1].name',
      '8: organizations[0].teams[1]: unknown field "title"; known fields: id, name',
      '9: organizations[0].teams[1]: unknown field "label"; known fields: id, name',
      '10: organizations[0].quotas.teams',
      '12: organizations[0].connections[0].config',
      '13: organizations[0].connections[0].type: has text with a NUL or half a surrogate pair',
      '15: organizations[0].connections[1].name',
      '15: organizations[0].connections[1].type',
      '15: organizations[0].connections[1].config',
      '15: organizations[0].connections[1].id: conn_a appears twice',
    ]);
    expect(ended.stderr).not.toContain('swordfish');
    expect(existsSync(join(env['XDG_DATA_HOME'] ?? '', 'orgctl'))).toBe(false);
  });

  it.each([
    ['a: [', /seed:1:5: not YAML/],
    ['', /expected object/],
  ])('refuses %j', async (text, message) => {
    const path = file('seed', text);
    const ended = await runCli(['serve', '--ephemeral', '--port', '0', '--seed', path]);
    expect(ended.stderr).toMatch(message);
    expect(ended.code).toBe(2);
  });
});
