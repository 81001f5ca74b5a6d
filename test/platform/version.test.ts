import { expect, it } from 'vitest';
import { versionDetails } from '../../src/platform/version.js';
import { runCli } from '../support/run-cli.js';

it('--version -v says what a report of a bug needs', async () => {
  const { code, stdout } = await runCli(['-v', '--version']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^orgctl +\d+\.\d+\.\d+\ncommit +\S+\nNode\.js +v\d\S*\npath .*\n$/);
});

it('says where it is', () => {
  const path = '/nowhere/node_modules/orgctl/bin/orgctl.js';
  expect(versionDetails(['/usr/bin/node', path], 'v20.19.0')).toContain(`path     ${path}\n`);
});
