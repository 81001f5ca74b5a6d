import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toJsonLine, toReport } from '../../src/cli/error-report.js';
import { advise } from '../../src/errors/errors.js';
import { allCommands } from '../support/command-tree.js';
import { errorOf, repeatedOptions, runCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService({ quotas: { teams: 0 } });
const elsewhere = {
  ORGCTL_BASE_URL: 'http://127.0.0.1:1',
  ORGCTL_KEY_ID: 'key_a',
  ORGCTL_SECRET: 's'.repeat(64),
};

const cases: [line: string, env: () => Record<string, string | undefined>, next: string[] | undefined][] = [
  ['teams create --name a', () => service.environment(), ['orgctl', 'quotas']],
  ['quotas', () => service.environment({ ORGCTL_SECRET: 'x'.repeat(64) }), ['orgctl', 'whoami']],
  ['quotas', () => service.environment({ ORGCTL_KEY_ID: 'key_other' }), ['orgctl', 'whoami']],
  ['quotas --retries 0', () => elsewhere, ['orgctl', 'whoami']],
  ['connections update conn_1', () => service.environment(), ['orgctl', 'connections', 'update', '--help']],
  ['connections', () => ({}), ['orgctl', 'connections', '--help']],
  ['connections list --no-such', () => ({}), ['orgctl', 'connections', 'list', '--help']],
  ['version', () => ({}), ['orgctl', '--version']],
  ['api-keys enable key_1', () => ({}), ['orgctl', 'local', 'keys', 'enable', 'key_1']],
  ['teams get team_0', () => service.environment(), ['orgctl', 'teams', 'list', '--all']],
  ['serve --stop', () => ({}), ['orgctl', 'local', 'stop']],
  ['serve --status', () => ({}), ['orgctl', 'local', 'status']],
  ['local start', () => ({}), ['orgctl', 'serve']],
  // Where nothing can be typed as it is.
  ['quotas --profile nobody', () => ({}), undefined],
];

describe('the next command of an error', () => {
  it.each(cases)('%s', async (line, env, next) => {
    const options = { env: { ORGCTL_CONFIG_DIR: temporaryDirectory(), ...env() } };
    const words = line.split(' ');
    const { hint, ...error } = errorOf(await runCli([...words, '-o', 'json'], options));
    // whoami shows the variables itself.
    const isBare = ['whoami', '--help'].some((word) => next?.includes(word));
    expect(error['next']).toEqual(next && [...next, ...repeatedOptions(isBare ? {} : env())]);
    if (next !== undefined) expect(hint).toContain(next.join(' '));
    // People read it in the hint alone.
    expect((await runCli(words, options)).stderr).toContain(`hint: ${hint}\n`);
  });

  it('stands after the hint, and can be typed as the hint has it', () => {
    const report = {
      ...toReport(new Error('x')),
      ...advise(['orgctl', 'doctor', '--profile', "it's; rm $x"]),
    };
    const { error } = JSON.parse(toJsonLine(report));
    expect(Object.keys(error).slice(0, 4)).toEqual(['code', 'message', 'hint', 'next']);
    expect(error.hint).toBe(`orgctl doctor --profile 'it'\\''s; rm $x'`);
    expect(error.next.at(-1)).toBe("it's; rm $x");
  });

  it('shows no secret that was put where an ID belongs', async () => {
    const secret = service.server.secret;
    const env = service.environment({ ORGCTL_KEY_ID: secret, ORGCTL_SECRET: service.server.keyId });
    for (const line of ['quotas', 'teams list', 'doctor', 'teams create --name a']) {
      const { stderr } = await runCli([...line.split(' '), '-o', 'json'], { env });
      for (const text of stderr.trim().split('\n')) {
        const { error } = JSON.parse(text);
        if (error !== undefined) expect(JSON.stringify(error.next ?? [])).not.toContain(secret);
      }
    }
  });

  it('is one that there is, wherever the sources advise one', async () => {
    const commands = await allCommands();
    const src = join(import.meta.dirname, '..', '..', 'src');
    const advised = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => [...readFileSync(join(src, path), 'utf8').matchAll(/\[\s*'orgctl',\s*('[^\]]*)\]/g)])
      .map(([, rest = '']) => [...rest.matchAll(/'([a-z-]+)'/g)].map(([, word = '']) => word));
    expect(advised.length).toBeGreaterThan(15);
    const known = (words: string[]) =>
      commands.some(({ words: path, isLeaf }) => isLeaf && path.every((word, at) => words[at] === word));
    expect(advised.filter((words) => !words.includes('--version') && !known(words))).toEqual([]);
  });
});
