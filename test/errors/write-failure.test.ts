import { expect, it } from 'vitest';
import { adviseWriting, refuseWriting } from '../../src/errors/write-failure.js';

it.each([
  ['ENOSPC', 'config', true],
  ['EDQUOT', 'config', true],
  ['EIO', 'config', false],
  ['EACCES', 'usage', false],
  ['ENOENT', 'usage', false],
])('a file that cannot be written because of %s is %s; advises free space: %s', (reason, code, isFull) => {
  const cause = Object.assign(new Error('write'), { code: reason });
  expect(refuseWriting('a.yaml: not written', { cause })).toMatchObject({ code });
  const free = expect.stringContaining('free some space');
  expect(adviseWriting(cause, 'choose another path')).toEqual({
    hint: isFull ? free : 'choose another path',
  });
});
