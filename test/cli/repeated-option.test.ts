import { expect, it } from 'vitest';
import { scriptedService } from '../commands/support/scripted-service.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { runCli, withProfileFile } from '../support/run-cli.js';

const once = 'give it once';

it.each([
  ['teams create --name a --name b', '--name was given twice: "a" and "b"', once],
  ['quotas --kind connections --kind=teams', '--kind was given twice: "connections" and "teams"', once],
  ['quotas --watch --watch 5s', '--watch was given twice: without a value and "5s"', once],
  ['connections list --page 1 --page 2 --page 1', '--page was given 3 times: "1" and "2" and "1"', once],
  ['sign GET / --format json --format curl', '--format was given twice: "json" and "curl"', once],
  [
    'diff org.yaml --prune=teams --prune=connections',
    '--prune was given twice: "teams" and "connections"',
    `${once}, with a list of values: --prune=teams,api-keys`,
  ],
  // Values that may contain a secret.
  ['request POST /teams -d hunter2 --data hunter3', '--data was given twice', once],
  ['connections create --url pg://hunter2 --url pg://hunter3', '--url was given twice', once],
  ['profile add a --secret-env hunter2 --secret-env hunter3', '--secret-env was given twice', once],
  [
    'profile add a --secret-command hunter2 --secret-command hunter3',
    '--secret-command was given twice',
    once,
  ],
])('two values for an option with one are refused before anything is sent: %s', async (line, error, hint) => {
  const { env, peer } = await scriptedService({});
  const { code, stdout, stderr } = await runCli(line.split(' '), { env });
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: ${error}\nhint: ${hint}\n`,
  });
  expect(peer.connections).toBe(0);
});

it('the same value twice, a repeatable option and a global one are allowed', async () => {
  const { env, posted } = await scriptedService({
    'POST /api-keys': () => httpAnswer(201, { id: 'key_a', name: 'a', secret: 's' }),
  });
  const twice = ['--name', 'a', '--name=a', '--field', 'b=1', '--field', 'c=2', '-o', 'csv', '-o', 'json'];
  const { code, stderr } = await runCli(['api-keys', 'create', ...twice], { env });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(posted()).toEqual([{ name: 'a', b: '1', c: '2' }]);
});

it.each(['serve --port 0 --http --', 'exec --', 'exec'])(
  'the options of a command after %s are its own',
  async (line) => {
    const { env } = await scriptedService({});
    const profile = { baseUrl: env['ORGCTL_BASE_URL'], keyId: 'key_a', secret: 's' };
    const counting = [process.execPath, '-e', 'process.exitCode = process.argv.length - 1', '--'];
    const words = [...line.split(' '), ...counting, '--name', 'a', '--name', 'b'];
    const own = withProfileFile({ version: 1, current: 'a', profiles: { a: profile } });
    expect(await runCli(words, { env: { ...own, PATH: process.env['PATH'] ?? '' } })).toMatchObject({
      code: 4,
    });
  },
);
