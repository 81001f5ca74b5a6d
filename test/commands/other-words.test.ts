import { expect, it } from 'vitest';
import { errorOf, runCli } from '../support/run-cli.js';

it.each([
  ['login', 'orgctl profile add'],
  ['config', 'orgctl whoami'],
  ['conn', 'orgctl connections list'],
  ['quotas --format json', 'choose the format with -o: table, json'],
  ['teams describe x', 'orgctl teams get x'],
  ['ls', 'orgctl connections list'],
  ['rm team ops', 'orgctl teams delete --help'],
  ['get team ops', 'orgctl teams get ops'],
  ['secret', 'orgctl local key prints'],
  ['teams delete x --dry-run', 'diff shows'],
  ['teams delete -f x', 'the command asks first; for scripts: orgctl teams delete --help'],
  ['teams create -f teams.yaml', 'to read a file: --file FILE'],
  ['apply -f org.yaml', 'pass the file without -f: orgctl apply FILE'],
  ['teams create ops', 'orgctl teams create --name ops'],
  ['connections create ops --host h', "to name it: --name 'ops'"],
  ['api-keys create --name CI key', "quote a name that has spaces: --name 'CI key'"],
  ['teams update a b --name x', 'one at a time; quote a name that has spaces'],
  ['teams list ops', 'orgctl teams get ops'],
  ['teams list -- --x', 'orgctl teams get -- --x'],
  ['connections rename a b', 'orgctl connections update a --name b'],
  ['connections rename a', 'orgctl connections update --help'],
  ['profile create', 'orgctl profile add --help'],
  ['profile update', 'orgctl profile set --help'],
  ['profile get prod', 'orgctl profile show prod'],
  ['profile delete prod', 'orgctl profile remove --help'],
  ['profile switch prod', 'orgctl profile use --help'],
  ['local keys create', 'orgctl local keys issue --help'],
  ['teams remove ops', 'orgctl teams delete --help'],
  ['teams new', 'orgctl teams create --help'],
  ['api-keys revoke k', 'orgctl api-keys delete --help'],
  ['shell', 'orgctl exec --help'],
  ['logout', 'orgctl profile remove --help'],
  ['use prod', 'orgctl profile use prod'],
  ['env', 'orgctl profile env --help'],
  ['rotate', 'orgctl api-keys rotate --help'],
  ['console', 'orgctl local console'],
  ['update team ops', 'orgctl teams update --help'],
  ['get /quotas', 'orgctl request GET /quotas'],
  ['api /quotas', 'orgctl request GET /quotas'],
  ['quotas --insecure', 'to trust another authority: --ca-file FILE'],
  ['whoami -k', 'to trust another authority: --ca-file FILE'],
  ['help topics', 'orgctl help'],
])('a word of another tool is answered with ours: %s', async (line, hint) => {
  const ended = await runCli(['-o', 'json', ...line.split(' ')]);
  expect(ended.code).toBe(2);
  expect(errorOf(ended)['hint']).toContain(hint);
});

it.each([
  ['completion', /<shell> .*\(shell: bash, zsh, fish, powershell\)/],
  ['completion fsh', /^error: <shell>: "fsh" is not one of bash, zsh, fish, powershell\n/],
  ['sign GET / --format xml', /^error: --format: "xml" is not one of explain, headers, json, curl\n/],
  ['whoami hunter2', /^error: orgctl whoami takes no arguments, but got 1\n/],
  ['api-keys disable a b', /^error: orgctl api-keys disable takes one <id-or-name>, but got 2 arguments\n/],
])('%s is refused in our words, with what is allowed', async (line, said) => {
  const ended = await runCli(line.split(' '));
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(said) });
  expect(ended.stderr).not.toContain('hunter2');
});

it.each([
  ['teams lsit', 'did you mean list?'],
  ['tems', 'did you mean teams?'],
  ['conections', 'did you mean connections?'],
  ['connections test', 'one of list, get'],
  ['profile fix', 'one of add, set'],
  ['quotas --host x', 'usage: orgctl quotas'],
])('suggests only what is near: %s', async (line, hint) => {
  const ended = await runCli([...line.split(' '), '-o', 'json']);
  expect(ended.code).toBe(2);
  expect(errorOf(ended)['hint']).toContain(hint);
});

it.each(['teams delte x', 'local rest', 'local keys revok x', 'profile remov x'])(
  'leads nobody by a suggestion to what cannot be undone: %s',
  async (line) => {
    const ended = await runCli([...line.split(' '), '-o', 'json']);
    expect(ended.code).toBe(2);
    expect(errorOf(ended)['hint']).toMatch(/^one of /);
  },
);
