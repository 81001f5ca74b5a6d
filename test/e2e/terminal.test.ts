import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { useToolOnPath } from '../support/built-tool.js';
import { hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { isMissing } from '../support/programs.js';
import { pseudoTerminal } from '../support/pseudo-terminal.js';
import { emptyEnvironment } from '../support/run-cli.js';

const directory = useToolOnPath();

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
