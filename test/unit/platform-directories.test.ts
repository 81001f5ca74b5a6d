import { describe, expect, it, test } from 'vitest';
import { configDirectory, dataDirectory } from '../../src/platform/platform-directories.js';

const home = '/home/ada';
const windowsHome = 'C:\\Users\\ada';

const cases: readonly (readonly [NodeJS.Platform, Record<string, string>, string, string])[] = [
  ['linux', {}, home, '/home/ada/.config/orgctl'],
  ['linux', { XDG_CONFIG_HOME: '/x' }, home, '/x/orgctl'],
  ['linux', { XDG_CONFIG_HOME: '/x', ORGCTL_CONFIG_DIR: '/own' }, home, '/own'],
  ['darwin', { XDG_CONFIG_HOME: '/x' }, home, '/home/ada/Library/Application Support/orgctl'],
  ['win32', {}, windowsHome, 'C:\\Users\\ada\\AppData\\Roaming\\orgctl\\Config'],
];

test.each(cases)('on %s with %j', (platform, env, homedir, directory) => {
  expect(configDirectory({ platform, env, homedir })).toBe(directory);
});

describe('dataDirectory', () => {
  it.each([
    ['linux', {}, home, '/home/ada/.local/share/orgctl/serve'],
    ['linux', { XDG_DATA_HOME: '/x' }, home, '/x/orgctl/serve'],
    ['darwin', { XDG_DATA_HOME: '/x' }, home, '/home/ada/Library/Application Support/orgctl/serve'],
    ['win32', {}, windowsHome, 'C:\\Users\\ada\\AppData\\Local\\orgctl\\serve'],
    ['win32', { LOCALAPPDATA: 'D:\\Local' }, windowsHome, 'D:\\Local\\orgctl\\serve'],
  ] as const)('on %s with %j is %s', (platform, env, homedir, expected) => {
    expect(dataDirectory({ platform, env, homedir })).toBe(expected);
  });
});
