import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors/errors.js';
import { seal } from '../../../src/profiles/record-seal.js';
import { SecretFile } from '../../../src/verbs/api-keys/secret-file.js';
import { temporaryDirectory } from '../../support/run-cli.js';

/** No process: the largest number of one that Linux gives is 4,194,304. */
const nobody = 2 ** 30;
const creation = { id: 'abcd', since: '2026-01-01T00:00:00.000Z', name: 'ci' };
const created = { id: 'key_a', secret: 's3cret' };
const signer = { baseUrl: 'https://api.example.com', keyId: 'key_mine', secret: 'm'.repeat(64) };

function newPlace() {
  const path = join(temporaryDirectory(), 'secret');
  const beside = `${path}.pending`;
  return { path, beside, open: (pid = 4711, by = signer) => new SecretFile(path, pid, by) };
}

/** A place where an interrupted run left a record, or this text for one, and perhaps a part of the secret. */
function leftPlace(record: object | string, secret?: string) {
  const place = newPlace();
  const text = typeof record === 'string' ? record : `${JSON.stringify(seal(record, place.path, signer))}\n`;
  writeFileSync(place.beside, text, { mode: 0o600 });
  if (secret !== undefined) writeFileSync(place.path, secret, { mode: 0o600 });
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
    const sealed = seal({ creation, pid: 4711 }, path, signer);
    expect(JSON.parse(readFileSync(beside, 'utf8'))).toEqual(sealed);
    expect(sealed).toMatchObject({ version: 2, baseUrl: signer.baseUrl, keyId: 'key_mine' });
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
    expect(JSON.parse(readFileSync(beside, 'utf8'))).toMatchObject({ creation, created });
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
      const { path, open } = leftPlace({ creation, pid: nobody, created }, other);
      await expect(open().open()).rejects.toEqual(refusal(path, 'the file exists and is not overwritten'));
    }
    const { path, open } = leftPlace({ creation, pid: nobody }, '');
    await expect(open().open()).rejects.toEqual(refusal(path, 'the file exists and is not overwritten'));
  });

  it('is refused where it is no file, or nobody can tell', async () => {
    const { path, open } = newPlace();
    symlinkSync('/dev/null', path);
    await expect(open().open()).rejects.toEqual(refusal(path, `${path} is not a file`));
    const nowhere = new SecretFile('/dev/null/secret', 1, signer);
    const failure = nowhere.open();
    await expect(failure).rejects.toEqual(refusal('/dev/null/secret', 'not a directory'));
    await expect(failure).rejects.toMatchObject({ cause: { code: 'ENOTDIR' } });
  });

  it('is refused where it is no file any more once the secret is to be kept', async () => {
    const { path, open } = leftPlace({ creation, pid: nobody, created });
    const file = open();
    await file.open();
    symlinkSync('/dev/null', path);
    await expect(file.keep(created)).rejects.toEqual(refusal(path, `${path} is not a file`));
  });
});

describe('after an interrupted run', () => {
  it('the creation is gone on with', async () => {
    const { path, beside, open } = leftPlace({ creation, pid: nobody });
    const file = open();
    expect(await file.open()).toMatchObject({ creation });
    await file.begin({ ...creation, id: 'other' });
    expect(JSON.parse(readFileSync(beside, 'utf8'))).toMatchObject({
      creation: { ...creation, id: 'other' },
      pid: 4711,
    });
    await file.keep(created);
    expect(readFileSync(path, 'utf8')).toBe('s3cret');
  });

  it.each([undefined, '', 's3c', 's3cret'])('a secret of which the file has %j is stored', async (part) => {
    const { path, beside, open } = leftPlace({ creation, pid: nobody, created }, part);
    const file = open();
    expect(await file.open()).toMatchObject({ creation, created });
    await file.keep(created);
    expect([readFileSync(path, 'utf8'), existsSync(beside)]).toEqual(['s3cret', false]);
  });

  it('nothing is done while that run may be alive', async () => {
    const { path, beside, open } = leftPlace({ creation, pid: process.pid });
    await expect(open().open()).rejects.toEqual(
      refusal(path, `process ${process.pid} seems to be using it; if it is not, remove ${beside}`),
    );
    expect(await open(process.pid).open()).toMatchObject({ creation });
    rmSync(beside);
    expect(await open().open()).toEqual({});
  });
});

describe('a record that this key did not write here is ignored, and not lost', () => {
  const v1 = `${JSON.stringify({ creation, pid: nobody })}\n${JSON.stringify({ created })}\n`;
  const other = { ...signer, keyId: 'key_other', secret: 'o'.repeat(64) };
  const full = { creation, pid: nobody, created };
  const records: readonly (readonly [what: string, text: (path: string) => string, why: RegExp])[] = [
    ['the first version', () => v1, /was written by an older orgctl/],
    ['nobody knows what', () => '{"a":', /is not an orgctl record/],
    [
      'half a record',
      (path) => JSON.stringify(seal(full, path, signer)).slice(0, 99),
      /is not an orgctl record/,
    ],
    ['only levels', () => '['.repeat(90_000), /is not an orgctl record/],
    [
      'another address',
      (path) => sealedBy(path, { ...signer, baseUrl: 'https://staging.example' }),
      /staging/,
    ],
    ['another key', (path) => sealedBy(path, other), /for the key "key_other", not for key_mine/],
    ['another secret', (path) => sealedBy(path, { ...signer, secret: 'x' }), /not written here/],
    ['another place', (path) => sealedBy(`${path}2`, signer), /not written here/],
    ['a forged field', (path) => sealedBy(path, signer).replace('s3cret', 'forged'), /not written here/],
    [
      'another version',
      (path) => sealedBy(path, signer).replace('"version":2', '"version":3'),
      /another version/,
    ],
  ];
  const sealedBy = (path: string, by: typeof signer) => JSON.stringify(seal(full, path, by));

  it.each(records)('of %s', async (_what, textOf, why) => {
    const { path, beside, open } = newPlace();
    const text = textOf(path);
    writeFileSync(beside, text, { mode: 0o600 });
    const file = open();
    const found = await file.open();
    expect(found).toMatchObject({ ignored: expect.stringMatching(why) });
    expect([found.creation, found.created]).toEqual([undefined, undefined]);
    const aside = await file.begin(creation);
    expect(readFileSync(String(aside), 'utf8')).toBe(text);
    await file.keep({ id: 'key_b', secret: 'other' });
    expect(readFileSync(path, 'utf8')).toBe('other');
    expect(
      readdirSync(join(path, '..'))
        .map((name) => join(path, '..', name))
        .sort(),
    ).toEqual([path, String(aside)].sort());
  });

  it('unless its process is alive', async () => {
    const { path, beside, open } = newPlace();
    writeFileSync(beside, v1.replace(String(nobody), String(process.pid)), { mode: 0o600 });
    const reason = `process ${process.pid} seems to be using it; if it is not, remove ${beside}`;
    await expect(open().open()).rejects.toEqual(refusal(path, reason));
  });

  it('and an empty one says nothing', async () => {
    const { beside, open } = leftPlace('');
    const file = open();
    expect(await file.open()).toEqual({});
    expect(await file.begin(creation)).toBeUndefined();
    expect(readFileSync(beside, 'utf8')).toContain('key_mine');
  });
});
