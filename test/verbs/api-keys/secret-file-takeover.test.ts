import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { created, creation, leftPlace, nobody, refusal, sealedAt, signer } from './support/secret-place.js';

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
    ['another creation', (path) => sealedAt(path, { ...full, creation: { ...creation, id: 'x' } }), 0o600],
    ['another place', (path) => sealedAt(`${path}2`, full), 0o600],
    ['another key', (path) => sealedAt(path, full, { ...signer, secret: 'x' }), 0o600],
    ['a forged secret', (path) => sealedAt(path, full).replace('s3cret', 'forged'), 0o600],
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
    for (let round = 0; round < 10; round += 1) {
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
    const { path, beside, open } = leftPlace({ creation, pid: nobody });
    writeFileSync(`${beside}.lock`, '');
    const file = open();
    await file.open();
    const why = `another process seems to be taking over ${beside}: ${beside}.lock exists`;
    await expect(file.begin(creation)).rejects.toEqual(refusal(path, why));
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

  it('a record that came in between is not replaced', async () => {
    const { path, beside, open } = leftPlace({ creation, pid: nobody });
    const [first, second] = [open(4_711_000), open(4_712_000)];
    await Promise.all([first.open(), second.open()]);
    await first.begin(creation);
    await expect(second.begin(creation)).rejects.toEqual(
      refusal(path, `another process has written ${beside}`),
    );
    await first.keep(created);
    expect(readFileSync(path, 'utf8')).toBe('s3cret');
  });
});
