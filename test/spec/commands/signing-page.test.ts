import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiDocument } from '../../../src/api/openapi.js';
import { codeBlock } from '../../support/pages.js';
import { isMissing } from '../../support/programs.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../../support/run-cli.js';

const page = 'docs/guides/signing-in-your-language.md';
const { components } = JSON.parse(JSON.stringify(apiDocument()));
type Vector = Record<'secret' | 'method' | 'target' | 'body', string> & { headers: Record<string, string> };
const examples: Vector[] = components.securitySchemes.hmacSignature['x-test-vectors'].reverse();

describe('docs/guides/signing-in-your-language.md', () => {
  it.for([
    [process.execPath, codeBlock(page, '// sign.mjs')],
    ['python3', codeBlock(page, '# sign.py')],
  ])('signs as orgctl does, with %s', ([program = '', block = '', ...options], { skip }) => {
    skip(program !== process.execPath && isMissing(program), `${program} is not installed`);
    const [, name = ''] = /^\S+ (\S+)$/m.exec(block) ?? [];
    const file = join(temporaryDirectory(), name);
    writeFileSync(file, block);
    const signatures = examples.map(({ secret, method, target, headers, body }) => {
      const given = [method, target, headers['X-API-Timestamp'] ?? '', headers['Content-Type'] ?? ''];
      const args = [...options, file, ...given];
      const env = { PATH: process.env['PATH'], ORGCTL_SECRET: secret };
      const { stdout, stderr } = spawnSync(program, args, { env, input: body, encoding: 'utf8' });
      expect(stderr).toBe('');
      return stdout.trim();
    });
    expect(signatures).toEqual(examples.map(({ headers }) => headers['X-API-Signature']));
  });

  it('computes the same examples by orgctl sign', async () => {
    const lines = codeBlock(page, 'export ORGCTL_KEY_ID').split('\n');
    const settings = lines.flatMap((line) => [...line.matchAll(/^export (\w+)=(\w+)$/g)]);
    const env = {
      ...emptyEnvironment(),
      ...Object.fromEntries(settings.map(([, name, value]) => [name, value])),
    };
    const commands = lines.filter((line) => line.startsWith('orgctl '));
    for (const [nth, line] of commands.entries()) {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
      const { code, stdout } = await runCli(words.slice(1), { env });
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringContaining(examples[nth]?.headers['X-API-Signature'] ?? 'none'),
      });
    }
    expect(commands).toHaveLength(examples.length);
  });
});
