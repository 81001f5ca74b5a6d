import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SecretFile } from '../../../src/verbs/api-keys/secret-file.js';
import {
  created,
  creation,
  leftPlace,
  newPlace,
  nobody,
  refusal,
  sealedAt,
  signer,
} from './support/secret-place.js';

describe('a new secret file', () => {
  it('has what is about to be created beside it, and at last the secret alone', async () => {
    const { path, beside, open } = newPlace();
    const file = open();
    expect(await file.open()).toEqual({});
    await file.begin(creation);
    const sealed = JSON.parse(readFileSync(beside, 'utf8'));
    expect(sealed).toEqual(JSON.parse(sealedAt(path, { creation, pid: 4_711_000 })));
    expect(sealed).toMatchObject({ version: 1, baseUrl: signer.baseUrl, keyId: 'key_mine' });
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

  it('is begun by one process alone, and overwrites none that comes meanwhile: the secret is beside it', async () => {
    const { path, beside, open } = newPlace();
    const file = open();
    await file.begin(creation);
    const taken = refusal(path, 'file already exists');
    await expect(open(4_712_000).begin(creation)).rejects.toEqual(taken);
    writeFileSync(path, 'precious');
    await expect(file.keep(created)).rejects.toEqual(taken);
    expect(readFileSync(path, 'utf8')).toBe('precious');
    expect(JSON.parse(readFileSync(beside, 'utf8'))).toMatchObject({ creation, created, pid: 4_711_000 });
  });
});

describe('what is there already', () => {
  const kept = 'the file exists and is not overwritten';

  it.each<[string, object, string]>([
    ['any file', {}, 'precious'],
    ['half of another secret', { creation, pid: nobody, created }, 'cret'],
    ['more than the secret of the interrupted run', { creation, pid: nobody, created }, 's3cret and more'],
    ['another secret', { creation, pid: nobody, created }, 'S3cret'],
    ['an empty file, where no secret is known', { creation, pid: nobody }, ''],
  ])('is not overwritten: %s', async (_what, record, text) => {
    const { path, open } = leftPlace(record, text);
    await expect(open().open()).rejects.toEqual(refusal(path, kept));
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('is refused where it is no file, or nobody can tell', async () => {
    const { path, open } = newPlace();
    symlinkSync('/dev/null', path);
    await expect(open().open()).rejects.toEqual(refusal(path, `${path} is not a file`));
    const failure = new SecretFile('/dev/null/secret', 1, signer).open();
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
      pid: 4_711_000,
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
  const other = { keyId: 'key_other', secret: 'o'.repeat(64) };
  const full = { creation, pid: nobody, created };
  const at = (path: string, changes: Partial<typeof signer> = {}) =>
    sealedAt(path, full, { ...signer, ...changes });

  it.each<[string, (path: string) => string, RegExp]>([
    ['no version', () => JSON.stringify(full), /was written by another version of orgctl/],
    ['nobody knows what', () => '{"a":', /is not an orgctl record/],
    ['another key', (path) => at(path, other), /for the key "key_other", not for key_mine/],
    ['another form', (path) => sealedAt(path, { creation: 1 }, signer), /another version of orgctl/],
    ['another place', (path) => at(`${path}2`), /not written here/],
  ])('of %s', async (_what, textOf, why) => {
    const { path, beside, open } = newPlace();
    const text = textOf(path);
    writeFileSync(beside, text, { mode: 0o600 });
    const file = open();
    const found = await file.open();
    expect(found).toMatchObject({ ignored: expect.stringMatching(why) });
    expect([found.creation, found.created]).toEqual([undefined, undefined]);
    const aside = String(await file.begin(creation));
    expect(readFileSync(aside, 'utf8')).toBe(text);
    await file.keep({ id: 'key_b', secret: 'other' });
    expect(readFileSync(path, 'utf8')).toBe('other');
    const directory = join(path, '..');
    expect(
      readdirSync(directory)
        .map((name) => join(directory, name))
        .sort(),
    ).toEqual([path, aside].sort());
  });

  it('unless its process is alive', async () => {
    const { path, beside, open } = newPlace();
    writeFileSync(beside, JSON.stringify({ ...full, pid: process.pid }), { mode: 0o600 });
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

describe('a run killed while it wrote a record', () => {
  const nameOf = (path: string, nth: string) => `${path}.pending.${nth.repeat(12)}.tmp`;
  const full = { creation, pid: nobody, created };
  const namesIn = (path: string) => readdirSync(join(path, '..')).sort();

  it('had the secret already: it is found, and nothing else stays', async () => {
    const { path, open } = leftPlace({ creation, pid: nobody });
    const text = sealedAt(path, full);
    writeFileSync(nameOf(path, 'a'), text.slice(0, -20), { mode: 0o600 });
    writeFileSync(nameOf(path, 'b'), text, { mode: 0o600 });
    writeFileSync(nameOf(path, 'c'), '', { mode: 0o600 });
    const file = open();
    expect(await file.open()).toMatchObject({ created });
    expect(namesIn(path)).toHaveLength(4);
    await file.keep(created);
    expect([namesIn(path), readFileSync(path, 'utf8')]).toEqual([['secret'], 's3cret']);
  });

  it('and its record, once it is in place, is that of any other killed run', async () => {
    const { path, beside, open } = leftPlace({ creation, pid: nobody });
    writeFileSync(nameOf(path, 'b'), sealedAt(path, full), { mode: 0o600 });
    const file = open();
    await file.open();
    writeFileSync(path, 'other');
    await expect(file.keep(created)).rejects.toEqual(refusal(path, 'file already exists'));
    expect(JSON.parse(readFileSync(beside, 'utf8'))).toMatchObject({ created });
    rmSync(path);
    expect(await open().open()).toMatchObject({ created });
  });

  it.each<[string, (path: string) => string, number]>([
    ['no seal', () => JSON.stringify(full), 0o600],
    ['others who can write it', (path) => sealedAt(path, full), 0o666],
  ])('is another one: what has %s is neither used nor removed', async (_what, textOf, mode) => {
    const { path, open } = leftPlace({ creation, pid: nobody });
    writeFileSync(nameOf(path, 'b'), textOf(path));
    chmodSync(nameOf(path, 'b'), mode);
    const file = open();
    expect(await file.open()).not.toHaveProperty('created');
    await file.begin(creation);
    await file.keep({ id: 'key_b', secret: 'other' });
    expect(namesIn(path)).toEqual(['secret', `secret.pending.${'b'.repeat(12)}.tmp`]);
    expect(readFileSync(path, 'utf8')).toBe('other');
  });
});

describe('two runs that take over one record at the same moment', () => {
  it('are one that does, and one that is told so', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { path, beside, open } = leftPlace({ creation, pid: nobody });
      const both = [open(4_711_000), open(4_712_000)];
      await Promise.all(both.map((file) => file.open()));
      const ended = await Promise.allSettled(both.map((file) => file.begin(creation)));
      expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const reason = refusal(path, `another process has written ${beside}`);
      expect(ended).toContainEqual({ status: 'rejected', reason });
      expect(existsSync(`${beside}.lock`)).toBe(false);
    }
  });

  it('wait for no file in the place of the lock', async () => {
    const { beside, open } = leftPlace({ creation, pid: nobody });
    writeFileSync(`${beside}.lock`, '');
    const file = open();
    await file.open();
    await expect(file.begin(creation)).rejects.toMatchObject({
      message: `${beside}.lock blocks the lock of ${beside}; nothing was changed`,
      details: { hint: 'inspect it and move it away' },
    });
  });
});

describe('in a directory that others can write', () => {
  it('a record that somebody holds open never gets the secret', async () => {
    const place = leftPlace({ creation, pid: nobody });
    chmodSync(join(place.path, '..'), 0o777);
    const held = openSync(place.beside, 'r');
    const file = place.open();
    await file.open();
    await file.begin(creation);
    const heldToo = openSync(place.beside, 'r');
    await file.keep(created);
    for (const each of [held, heldToo]) {
      expect(readFileSync(each, 'utf8')).not.toContain('s3cret');
      closeSync(each);
    }
    expect(readFileSync(place.path, 'utf8')).toBe('s3cret');
  });

  it.runIf(process.getuid?.() === 0)('a record of another user is ignored, even with a seal', async () => {
    const { beside, open } = leftPlace({ creation, pid: nobody, created });
    chownSync(beside, 65_534, 65_534);
    expect(await open().open()).toMatchObject({ ignored: expect.stringContaining('another user (65534)') });
  });

  it('a record that others can write is ignored, as one from a repository', async () => {
    const { beside, open } = leftPlace({ creation, pid: nobody, created });
    chmodSync(beside, 0o664);
    expect(await open().open()).toMatchObject({ ignored: expect.stringContaining('(mode 664)') });
  });
});
