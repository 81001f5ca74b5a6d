import { describe, expect, it } from 'vitest';
import { installedBy, versionDetails } from '../../src/platform/version-details.js';
import { runCli } from '../support/run-cli.js';

describe('--version -v', () => {
  it('says what a report of a bug needs', async () => {
    const { code, stdout } = await runCli(['-v', '--version']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^orgctl +\d+\.\d+\.\d+\ncommit +\S+\nNode\.js +v\d\S*\nplatform +\w+ \w+\ninstalled +\w.*\n$/,
    );
  });

  it('says where it is', () => {
    const at = {
      argv: ['/usr/bin/node', '/nowhere/node_modules/orgctl/bin/orgctl.js'],
      platform: 'linux',
      arch: 'x64',
      node: 'v20.19.0',
    };
    expect(versionDetails(at)).toContain('installed  by npm: /nowhere/node_modules/orgctl/bin/orgctl.js\n');
  });

  it.each([
    ['/home/a/.npm/_npx/0a/node_modules/orgctl/bin/orgctl.js', false, 'by npx'],
    ['/w/node_modules/.pnpm/orgctl@0.1.0/node_modules/orgctl/bin/orgctl.js', false, 'by pnpm'],
    ['/w/.yarn/cache/orgctl.zip/node_modules/orgctl/bin/orgctl.js', false, 'by yarn'],
    ['C:\\Users\\a\\AppData\\Roaming\\npm\\node_modules\\orgctl\\bin\\orgctl.js', false, 'by npm'],
    ['/home/a/orgctl/bin/orgctl.js', false, 'from a clone'],
    ['/opt/orgctl', true, 'as an executable'],
  ])('knows by the path %s how it was installed', (path, isStandalone, how) => {
    expect(installedBy(path, isStandalone)).toBe(how);
  });
});
