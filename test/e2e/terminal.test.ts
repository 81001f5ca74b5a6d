import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useToolOnPath } from '../support/built-tool.js';
import { hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { isMissing } from '../support/programs.js';
import { pseudoTerminal } from '../support/pseudo-terminal.js';
import { emptyEnvironment } from '../support/run-cli.js';

const directory = useToolOnPath();
const ctrlZ = '\u001a';
const secret = '5ec3e7'.repeat(10);

/** A shell at a terminal, in which `orgctl` is the built tool, and a service that refuses nothing. */
async function shell(size?: { columns?: number }) {
  const quotas = {
    data: [{ teams: { limit: 20, used: 5, remaining: 15 } }],
    total: 1,
    page: 1,
    limit: 20,
    pages: 1,
  };
  const peer = await hostilePeer(({ method, target }) => {
    if (method !== 'GET') return httpAnswer(204);
    return httpAnswer(200, target === '/teams/team_1' ? { id: 'team_1', name: 'ops' } : quotas);
  });
  const env: Record<string, string> = {
    ...emptyEnvironment(),
    PATH: `${directory}:${process.env['PATH']}`,
    ORGCTL_BASE_URL: peer.origin,
    ORGCTL_KEY_ID: 'key_a',
    NO_COLOR: '1',
  };
  return { peer, env, terminal: await pseudoTerminal(env, size) };
}

describe.skipIf(isMissing('script', 'bash'))('Ctrl-Z and fg', () => {
  test('at a secret: it is asked for from the start, and never shown', async () => {
    const { env, terminal } = await shell();
    terminal.type('orgctl profile add prod\r');
    await terminal.shows('API key secret [hidden] ');
    // The cursor stands within it.
    terminal.type(`${secret.slice(0, 20)}\u001b[D`);
    terminal.type(ctrlZ);
    await terminal.shows('Stopped');
    await terminal.shows('$ ');
    // The shell has its terminal back: what is typed is echoed, and run.
    terminal.type('echo here"" I am\r');
    await terminal.shows('\r\nhere I am');
    await terminal.shows('$ ');
    terminal.type('fg\r');
    await terminal.shows('API key secret [hidden] ');
    terminal.type(`${secret}\r`);
    await terminal.shows('prod');
    await terminal.shows('$ ');
    expect(terminal.screen()).not.toMatch(/5ec3e7|no answer/);
    const stored = readFileSync(join(env['ORGCTL_CONFIG_DIR'] ?? '', 'profiles.json'), 'utf8');
    expect(stored).toContain(`"${secret}"`);
  });

  test('at a question: it is asked again, with what was typed', async () => {
    const { peer, terminal } = await shell();
    terminal.type(`ORGCTL_SECRET=${secret} orgctl teams delete team_1\r`);
    await terminal.shows('[y/N] ');
    terminal.type(`ye${ctrlZ}`);
    await terminal.shows('Stopped');
    await terminal.shows('$ ');
    terminal.type('fg\r');
    await terminal.shows('[y/N] ye');
    terminal.type('s\r');
    await terminal.shows('deleted');
    expect(peer.requests.at(-1)).toMatchObject({ method: 'DELETE', target: '/teams/team_1' });
  });
});

test.skipIf(isMissing('script', 'bash'))(
  'a secret command can ask on the terminal, and Ctrl-C stops it',
  async () => {
    const { env, terminal } = await shell();
    const ask =
      'printf "PIN"": " >/dev/tty; read -r pin </dev/tty; echo "got $pin" >/dev/tty; exec sleep 987';
    const profile = { baseUrl: env['ORGCTL_BASE_URL'], keyId: 'key_a', secretCommand: ['sh', '-c', ask] };
    const directory = env['ORGCTL_CONFIG_DIR'] ?? '';
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const content = JSON.stringify({ version: 1, current: 'prod', profiles: { prod: profile } });
    writeFileSync(join(directory, 'profiles.json'), content, { mode: 0o600 });
    terminal.type('unset ORGCTL_BASE_URL ORGCTL_KEY_ID; orgctl quotas\r');
    await terminal.shows('PIN: ');
    terminal.type('12345\r');
    await terminal.shows('got 12345');
    terminal.type('\u0003');
    await terminal.shows('$ ');
    terminal.type(
      'echo "code $?"; while ps -o args= | grep -q "^sleep 987"; do :; done; echo "it has"" ended"\r',
    );
    await terminal.shows(/code 130\r\nit has ended/);
  },
);

describe.skipIf(isMissing('script', 'bash'))('what was typed ahead', () => {
  const questions = 'unset ORGCTL_BASE_URL ORGCTL_KEY_ID; orgctl profile add --no-verify\r';

  test('is not run by the shell when an answer cannot be used, or Ctrl-C stops the questions', async () => {
    const { env, terminal } = await shell();
    terminal.type(`${questions}no/name\rhttps://api.example.com\rkey_a\recho ran-by-"the-shell"\r`);
    await terminal.shows('is not a profile name');
    await terminal.shows('Name of the profile: ');
    terminal.type('prod\r');
    await terminal.shows('Address of the service: ');
    terminal.type('\u0003echo ran-by-"the-shell"\r');
    await terminal.shows('interrupted');
    await terminal.shows('$ ');
    terminal.type('echo all"" done\r');
    await terminal.shows('\r\nall done');
    expect(terminal.screen()).not.toContain('ran-by-the-shell');
    expect(existsSync(join(env['ORGCTL_CONFIG_DIR'] ?? '', 'profiles.json'))).toBe(false);
  });

  test('is not run when the command fails after a question', async () => {
    const { terminal } = await shell();
    terminal.type(`ORGCTL_SECRET=${secret} orgctl api-keys delete key_a\r`);
    await terminal.shows('Type its ID to delete it: ');
    terminal.type('key_b\recho ran-by-"the-shell"\r');
    await terminal.shows('nothing was deleted');
    await terminal.shows('$ ');
    terminal.type('echo all"" done\r');
    await terminal.shows('\r\nall done');
    expect(terminal.screen()).not.toContain('ran-by-the-shell');
  });

  test('answers the questions that follow, unseen where they are for a secret', async () => {
    const { env, terminal } = await shell();
    terminal.type(questions);
    await terminal.shows('Name of the profile: ');
    terminal.type(`prod\rhttps://api.example.com\rkey_a\r${secret}\r`);
    await terminal.shows('API key secret [hidden] ');
    await terminal.shows('prod');
    await terminal.shows('$ ');
    expect(terminal.screen()).not.toContain(secret);
    const stored = readFileSync(join(env['ORGCTL_CONFIG_DIR'] ?? '', 'profiles.json'), 'utf8');
    expect(stored).toContain(`"${secret}"`);
  });
});

test.skipIf(isMissing('script', 'bash'))(
  'a watch whose reader has left ends with 0, although nothing changes',
  async () => {
    const { terminal } = await shell();
    terminal.type(`export ORGCTL_SECRET=${secret}; set -o pipefail\r`);
    terminal.type('orgctl quotas --watch 1s -o jsonl | head -1; echo "ended $?"\r');
    await terminal.shows('"kind":"teams"');
    await terminal.shows('ended 0');
  },
);
