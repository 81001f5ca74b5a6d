import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { useToolOnPath } from '../support/built-tool.js';
import { isMissing } from '../support/programs.js';
import { pseudoTerminal } from '../support/pseudo-terminal.js';
import { emptyEnvironment } from '../support/run-cli.js';

const directory = useToolOnPath();

test.skipIf(isMissing('script', 'bash'))(
  'a secret command can ask on the terminal, and Ctrl-C stops it',
  async () => {
    const own: Record<string, string> = emptyEnvironment();
    const env = { ...own, PATH: `${directory}:${process.env['PATH']}`, NO_COLOR: '1' };
    const ask =
      'printf "PIN"": " >/dev/tty; read -r pin </dev/tty; echo "got $pin" >/dev/tty; exec sleep 987';
    const profile = { baseUrl: 'http://127.0.0.1:9', keyId: 'key_a', secretCommand: ['sh', '-c', ask] };
    const config = own['ORGCTL_CONFIG_DIR'] ?? '';
    mkdirSync(config, { recursive: true, mode: 0o700 });
    const content = JSON.stringify({ version: 1, current: 'prod', profiles: { prod: profile } });
    writeFileSync(join(config, 'profiles.json'), content, { mode: 0o600 });
    const terminal = await pseudoTerminal(env);
    terminal.type('orgctl quotas\r');
    await terminal.shows('PIN: ');
    terminal.type('12345\r');
    await terminal.shows('got 12345');
    terminal.type('\u0003');
    await terminal.shows('$ ');
    const sleeps = 'ps -o args= | grep -q "^sleep 987"';
    terminal.type(`echo "code $?"; while ${sleeps}; do :; done; echo "it has"" ended"\r`);
    await terminal.shows(/code 130\r\nit has ended/);
  },
);
