import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeDirectory } from '../../src/platform/make-directory.js';
import { runProcess } from '../support/run-built-tool.js';
import { temporaryDirectory } from '../support/run-cli.js';

const modeOf = (path: string) => statSync(path).mode & 0o777;

it('makes the directory and its missing parents, for their owner alone', () => {
  const top = join(temporaryDirectory(), 'a');
  const path = join(top, 'b', 'c');
  makeDirectory(path);
  expect([top, join(top, 'b'), path].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
});

it('leaves one that is there as it is, also behind a link', () => {
  const path = join(temporaryDirectory(), 'there');
  mkdirSync(path, { mode: 0o755 });
  symlinkSync(path, `${path}-link`);
  for (const name of [path, `${path}-link`]) makeDirectory(name);
  expect(modeOf(path)).toBe(0o755);
  makeDirectory('/');
});

it('says what is in the way', () => {
  const path = join(temporaryDirectory(), 'file');
  writeFileSync(path, '');
  symlinkSync('/nowhere/at/all', `${path}-link`);
  expect(() => makeDirectory(path)).toThrow('EEXIST');
  expect(() => makeDirectory(join(path, 'below'))).toThrow('ENOTDIR');
  expect(() => makeDirectory(`${path}-link`)).toThrow('EEXIST');
});

// In a process of its own, which can be ended if it does not end.
it.runIf(process.platform === 'linux')('ends where the system cannot find what is there', async () => {
  const module = join(import.meta.dirname, '../../src/platform/make-directory.ts');
  const lines = `import { makeDirectory } from ${JSON.stringify(module)};
    try { makeDirectory('/proc/none/at/all'); } catch (error) { console.log(error.code); }`;
  const ended = await runProcess('timeout', [
    ...['-s', 'KILL', '25', process.execPath],
    ...['--import', 'tsx', '--input-type=module', '-e', lines],
  ]);
  expect(ended).toMatchObject({ code: 0, stdout: 'ENOENT\n' });
});
