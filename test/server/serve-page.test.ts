import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { controlCalls, controlPath } from '../../src/api/control/calls.js';
import { requireFaultRules } from '../../src/api/faults/fault-rule.js';
import { codeBlock, pageText } from '../support/pages.js';
import { isMissing } from '../support/programs.js';
import { useServers } from './support/start.js';

const servers = useServers();
const page = 'docs/guides/local-service.md';
const controlPage = 'docs/reference/control-api.md';
const librariesPage = 'docs/guides/libraries.md';

describe('the pages about serve', () => {
  it('shows the example that these tests run', () => {
    const example = readFileSync(new URL('readme-example.test.ts', import.meta.url), 'utf8')
      .replace('../../src/client/index.js', 'orgctl/client')
      .replace('../../src/server/index.js', 'orgctl/server');
    expect(codeBlock(librariesPage, 'import { afterAll')).toBe(example.trim());
  });

  it('shows a seed that works as pasted', async () => {
    const seed = parse(codeBlock(page, 'organizations:'));
    const server = await servers.start({ seed });
    // Its first key is disabled, so another one was made.
    expect(server.seededKeys?.map(({ keyId }) => keyId)).toEqual([server.keyId, 'key_acme', 'key_other']);
  });

  it('shows fault rules that can be used, and names every effect', async () => {
    const rules: string[] = [...pageText(page).matchAll(/^\| `([A-Z*]+ [/*][^`]*=[^`]+)` \|/gm)].map(
      ([, rule]) => rule ?? '',
    );
    expect(rules).toHaveLength(4);
    const [, ...effects] = codeBlock(page, 'RULE ').split(/^(?:EFFECT {3}| {9})/m);
    const named = effects.map((effect) => effect.split(/ {2,}| to /)[0]);
    expect(named).toEqual(['400', 'delay:2s', 'drop', 'reset', 'drop-answer', 'truncate']);
    const all = [...rules, ...[...named, '503:30s'].map((effect) => `GET /quotas=${effect}x2%50@7`)];
    requireFaultRules(all);
    const { control } = await servers.start({ faults: all });
    expect((await control.faults.get()).map(({ rule }) => rule)).toEqual(all);
  });

  it('lists every call of the control API', () => {
    const rows = [...pageText(controlPage).matchAll(/^\| ([A-Z]+) \| `(\/_control[^`]*)`/gm)];
    const listed = new Set(rows.map(([, method, path]) => `${method} ${path}`));
    const calls = Object.values(controlCalls).map(({ method, path }) => `${method} ${controlPath}${path}`);
    expect([...listed]).toEqual(expect.arrayContaining(calls));
  });

  it.skipIf(isMissing('curl'))('shows curl lines that work', async () => {
    const server = await servers.start({ http: false });
    const block = codeBlock(controlPage, '# In a command that serve runs');
    // It goes on until the server ends.
    const script = block.replace('control /journal/stream -N', '');
    expect(script).not.toBe(block);
    const env = {
      PATH: process.env['PATH'],
      ORGCTL_CONTROL_URL: `${server.url}/_control`,
      ORGCTL_CONTROL_TOKEN: server.controlToken,
      ORGCTL_CA_FILE: server.caFile,
    };
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], { env });
    expect(stdout).not.toContain('statusCode');
    expect(stdout).toContain('"rule":"GET /quotas=503x2"');
    expect(stdout).toMatch(/\{"entries":\[\]\}\{"count":\d+\}$/);
  });
});
