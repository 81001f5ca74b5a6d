import { expect, test } from 'vitest';
import { configDirectory } from '../../src/profiles/config-directory.js';

const home = '/home/ada';
const windowsHome = 'C:\\Users\\ada';

const cases: readonly (readonly [NodeJS.Platform, Record<string, string>, string, string])[] = [
  ['linux', {}, home, '/home/ada/.config/orgctl'],
  ['linux', { XDG_CONFIG_HOME: '/x' }, home, '/x/orgctl'],
  ['linux', { XDG_CONFIG_HOME: '' }, home, '/home/ada/.config/orgctl'],
  ['linux', { XDG_CONFIG_HOME: 'relative' }, home, '/home/ada/.config/orgctl'],
  ['linux', { XDG_CONFIG_HOME: '/x', ORGCTL_CONFIG_DIR: '/own' }, home, '/own'],
  ['linux', { ORGCTL_CONFIG_DIR: '' }, home, '/home/ada/.config/orgctl'],
  ['darwin', { XDG_CONFIG_HOME: '/x' }, home, '/home/ada/Library/Application Support/orgctl'],
  ['darwin', { ORGCTL_CONFIG_DIR: '/own' }, home, '/own'],
  ['win32', {}, windowsHome, 'C:\\Users\\ada\\AppData\\Roaming\\orgctl\\Config'],
  ['win32', { APPDATA: 'D:\\Roaming' }, windowsHome, 'D:\\Roaming\\orgctl\\Config'],
  ['win32', { ORGCTL_CONFIG_DIR: 'D:\\own' }, windowsHome, 'D:\\own'],
];

for (const [platform, env, homedir, directory] of cases) {
  test(`on ${platform} with ${JSON.stringify(env)} it is ${directory}`, () => {
    expect(configDirectory({ platform, env, homedir })).toBe(directory);
  });
}
