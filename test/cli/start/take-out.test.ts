import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { takeOut } from '../../../src/cli/start/take-out.js';
import { temporaryDirectory } from '../../support/run-cli.js';

const name = 'keyring-0123456789abcdef.node';
const bytes = Buffer.from('what the system would run\n'.repeat(1000));

let home = '';
const cache = () => join(home, '.cache', 'orgctl');
const path = () => join(cache(), name);
const owner = () => ({
  env: { HOME: home },
  platform: 'linux' as const,
  pid: 4711,
  geteuid: () => statSync(home).uid,
});
const mode = (file: string) => statSync(file).mode & 0o777;

beforeEach(() => {
  home = temporaryDirectory();
});

describe('a module that is taken out of the executable', () => {
  it('is there for its owner alone, and written once', () => {
    expect(takeOut(name, bytes, owner())).toBe(path());
    const { ino } = statSync(path());
    expect([mode(cache()), mode(path()), readFileSync(path()).equals(bytes)]).toEqual([0o700, 0o600, true]);
    takeOut(name, bytes, owner());
    expect(statSync(path()).ino).toBe(ino);
    expect(readdirSync(cache())).toEqual([name]);
  });

  const inItsPlace: Record<string, () => void> = {
    'bytes of the same length': () => writeFileSync(path(), Buffer.alloc(bytes.length, 'x'), { mode: 0o600 }),
    'a file that others can write': () => {
      writeFileSync(path(), bytes);
      chmodSync(path(), 0o666);
    },
    'a link to a file elsewhere': () => {
      writeFileSync(join(home, 'elsewhere'), bytes, { mode: 0o600 });
      symlinkSync(join(home, 'elsewhere'), path());
    },
    'a pipe that nobody writes to': () => void execFileSync('mkfifo', ['-m', '600', path()]),
  };

  it.each(Object.keys(inItsPlace))('takes the place of %s', (what) => {
    mkdirSync(cache(), { recursive: true, mode: 0o700 });
    inItsPlace[what]?.();
    takeOut(name, bytes, owner());
    expect([mode(path()), readFileSync(path()).equals(bytes)]).toEqual([0o600, true]);
    expect(readdirSync(cache())).toEqual([name]);
  });

  it('is written where a process of the same number was killed, and removes what is of long ago', () => {
    mkdirSync(cache(), { recursive: true, mode: 0o700 });
    for (const left of [`${name}.4711`, 'keyring-of-long-ago.node', 'keyring-of-today.node'])
      writeFileSync(join(cache(), left), 'half');
    utimesSync(join(cache(), 'keyring-of-long-ago.node'), 0, 0);
    takeOut(name, bytes, owner());
    expect(readdirSync(cache()).sort()).toEqual([name, 'keyring-of-today.node']);
  });

  it('is not put where another user could have another module loaded', () => {
    mkdirSync(cache(), { recursive: true });
    chmodSync(cache(), 0o777);
    expect(() => takeOut(name, bytes, owner())).toThrow('is not private to this user');
    chmodSync(cache(), 0o700);
    expect(() => takeOut(name, bytes, { ...owner(), geteuid: () => 1 })).toThrow(
      'is not private to this user',
    );
    expect(readdirSync(cache())).toEqual([]);
  });

  it('says that there is no place for it', () => {
    expect(() => takeOut(name, bytes, { ...owner(), env: {} })).toThrow('no home directory');
    writeFileSync(join(home, '.cache'), '');
    expect(() => takeOut(name, bytes, owner())).toThrow(/ENOTDIR|EEXIST/);
  });
});
