import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SecretFile } from '../../src/commands/api-keys/secret-file.js';
import { UsageError } from '../../src/errors.js';
import { temporaryDirectory } from '../support/run-cli.js';

/** No process: the largest number of one that Linux gives is 4,194,304. */
const nobody = 2 ** 30;
const creation = { id: 'abcd', since: '2026-01-01T00:00:00.000Z', name: 'ci' };
const created = { id: 'key_a', secret: 's3cret' };

function newPlace() {
  const path = join(temporaryDirectory(), 'secret');
  const beside = `${path}.pending`;
  return { path, beside, open: (pid = 4711) => new SecretFile(path, pid) };
}

/** A place where an interrupted run left these lines, and perhaps a part of the secret. */
function leftPlace(lines: readonly unknown[], secret?: string) {
  const place = newPlace();
  const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('');
  writeFileSync(place.beside, text);
  if (secret !== undefined) writeFileSync(place.path, secret);
  return place;
}

const refusal = (path: string, reason: string) =>
  expect.objectContaining({ constructor: UsageError, message: `--secret-file ${path}: ${reason}` });

describe('a new secret file', () => {
  it('has what is about to be created beside it, and at last the secret alone', async () => {
    const { path, beside, open } = newPlace();
    const file = open();
    expect(await file.open()).toEqual({});
    await file.begin(creation);
    expect(readFileSync(beside, 'utf8')).toBe(`${JSON.stringify({ creation, pid: 4711 })}\n`);
    expect([statSync(beside).mode & 0o777, existsSync(path)]).toEqual([0o600, false]);
    await file.keep(created);
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['s3cret', 0o600]);
    expect(existsSync(beside)).toBe(false);
  });

  it('leaves nothing when no key was created', async () => {
    const { path, beside, open } = newPlace();
    const file = open();
    await file.begin(creation);
    await file.abandon();
    expect([existsSync(path), existsSync(beside)]).toEqual([false, false]);
  });

  it('overwrites none that comes meanwhile, and tells beside it which key it was', async () => {
    const { path, beside, open } = newPlace();
    const file = open();
    await file.begin(creation);
    writeFileSync(path, 'precious');
    await expect(file.keep(created)).rejects.toEqual(refusal(path, 'file already exists'));
    expect(readFileSync(path, 'utf8')).toBe('precious');
    expect(readFileSync(beside, 'utf8')).toContain(JSON.stringify({ created }));
  });

  it('is begun by one process alone', async () => {
    const { path, beside, open } = newPlace();
    await open().begin(creation);
    await expect(open(4712).begin(creation)).rejects.toEqual(refusal(path, 'file already exists'));
    expect(readFileSync(beside, 'utf8')).toContain('4711');
  });
});

describe('what is there already', () => {
  it('is not overwritten', async () => {
    const { path, open } = newPlace();
    writeFileSync(path, 'precious');
    await expect(open().open()).rejects.toEqual(refusal(path, 'the file exists and is not overwritten'));
  });

  it('is not overwritten where it is another secret than that of the interrupted run', async () => {
    for (const other of ['cret', 's3cret and more', 'S3cret']) {
      const { path, open } = leftPlace([{ creation, pid: nobody }, { created }], other);
      await expect(open().open()).rejects.toEqual(refusal(path, 'the file exists and is not overwritten'));
    }
    const { path, open } = leftPlace([{ creation, pid: nobody }], '');
    await expect(open().open()).rejects.toEqual(refusal(path, 'the file exists and is not overwritten'));
  });

  it('is refused where it is no file, or nobody can tell', async () => {
    const { path, open } = newPlace();
    symlinkSync('/dev/null', path);
    await expect(open().open()).rejects.toEqual(refusal(path, `${path} is not a file`));
    const nowhere = new SecretFile('/dev/null/secret', 1);
    const failure = nowhere.open();
    await expect(failure).rejects.toEqual(refusal('/dev/null/secret', 'not a directory'));
    await expect(failure).rejects.toMatchObject({ cause: { code: 'ENOTDIR' } });
  });

  it('is refused where it is no file any more once the secret is to be kept', async () => {
    const { path, open } = leftPlace([{ creation, pid: nobody }, { created }]);
    const file = open();
    await file.open();
    symlinkSync('/dev/null', path);
    await expect(file.keep(created)).rejects.toEqual(refusal(path, `${path} is not a file`));
  });
});

describe('after an interrupted run', () => {
  it('the creation is gone on with', async () => {
    const { path, beside, open } = leftPlace([{ creation, pid: nobody }]);
    const file = open();
    expect(await file.open()).toMatchObject({ creation });
    await file.begin({ ...creation, id: 'other' });
    expect(JSON.parse(readFileSync(beside, 'utf8'))).toEqual({
      creation: { ...creation, id: 'other' },
      pid: 4711,
    });
    await file.keep(created);
    expect(readFileSync(path, 'utf8')).toBe('s3cret');
  });

  it.each([undefined, '', 's3c', 's3cret'])('a secret of which the file has %j is stored', async (part) => {
    const { path, beside, open } = leftPlace([{ creation, pid: nobody }, { created }], part);
    const file = open();
    expect(await file.open()).toMatchObject({ creation, created });
    await file.keep(created);
    expect([readFileSync(path, 'utf8'), existsSync(beside)]).toEqual(['s3cret', false]);
  });

  it('a line that was cut off tells nothing', async () => {
    const { open } = leftPlace([{ creation, pid: nobody }, '{"created":{"id":"key_a","sec']);
    const told = await open().open();
    expect(told).toMatchObject({ creation });
    expect(told).not.toHaveProperty('created');
  });

  it('nothing is done while that run may be alive', async () => {
    const { path, beside, open } = leftPlace([{ creation, pid: process.pid }]);
    await expect(open().open()).rejects.toEqual(
      refusal(path, `process ${process.pid} seems to be using it; if it is not, remove ${beside}`),
    );
    expect(await open(process.pid).open()).toMatchObject({ creation });
    const { open: again } = leftPlace([{ creation }]);
    expect(await again().open()).toEqual({ creation });
    rmSync(beside);
    expect(await open().open()).toEqual({});
  });
});
