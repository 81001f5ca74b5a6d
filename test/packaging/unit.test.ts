import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codeBlock } from '../support/pages.js';
import { runBuiltTool } from '../support/run-built-tool.js';
import { emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';

const unit = codeBlock('docs/operations/packages.md', '[Unit]');

it('the systemd unit starts a server that is ready', async () => {
  const directory = temporaryDirectory();
  const [, line = ''] = /^ExecStart=\S+ (.*)$/m.exec(unit) ?? [];
  const args = line.replaceAll(/\/(?:var\/lib|run)(?=\/orgctl)/g, directory).split(' ');
  const env = emptyEnvironment();
  const ended = await runBuiltTool([...args, '--port', '0', '-q', '--', 'true'], { env });
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
});

it.skipIf(spawnSync('systemd-analyze', ['--version']).error)('systemd finds no mistake in the unit', () => {
  const path = join(temporaryDirectory(), 'orgctl.service');
  // The user and the program are not here.
  writeFileSync(path, unit.replace(/^User=.*\n/m, '').replace('/usr/local/bin/orgctl', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
