import { describe, expect, it } from 'vitest';
import { digestAll, suspectsAmong } from '../../../src/verbs/api-keys/orphans.js';

const since = '2026-01-01T00:00:00.000Z';
const attempt = {
  id: 'abcd',
  name: 'ci',
  since,
  until: '2026-01-01T00:01:00.000Z',
  before: digestAll(['key_before']) ?? [],
};
const key = (more: Record<string, unknown> = {}) => ({
  id: 'key_1',
  name: 'ci',
  created_at: '2026-01-01T00:00:30.000Z',
  last_used_at: null,
  ...more,
});
const orphansAmong = (one: Record<string, unknown>, kept?: ReadonlySet<string>) =>
  suspectsAmong([one], attempt, kept)?.orphans.map(({ id }) => id);

describe('the key of an interrupted creation', () => {
  it('is the unused one that appeared under the name during the attempt', () => {
    expect(orphansAmong(key())).toEqual(['key_1']);
    expect(orphansAmong(key({ last_used_at: undefined, lastUsed: '' }))).toEqual(['key_1']);
  });

  it.each<[string, Record<string, unknown>]>([
    ['of another name', key({ name: 'other' })],
    ['that existed before', key({ id: 'key_before' })],
    ['that was used', key({ last_used_at: since })],
    ['that was used, by lastUsed', key({ lastUsed: since })],
    ['created at a time that nobody knows', key({ created_at: undefined })],
    ['created at a time that cannot be read', key({ created_at: 'yesterday' })],
    ['created before the attempt', key({ created_at: '2025-12-31T23:50:00Z' })],
    ['created after the attempt', key({ created_at: '2026-01-01T00:10:00Z' })],
    ['created before, by createdAt', key({ created_at: undefined, createdAt: '2020-06-01 12:00:00' })],
    ['created before, in seconds', key({ created_at: undefined, created: 1_577_836_800 })],
  ])('is none %s', (_, one) => {
    expect(orphansAmong(one)).toEqual([]);
  });

  it.each(['2025-12-31T23:56:00Z', '2026-01-01T00:00:30', '2026-01-01T00:05:00+00:00'])(
    'may be made a few minutes off, for clocks differ: %s',
    (created_at) => {
      expect(orphansAmong(key({ created_at }))).toEqual(['key_1']);
    },
  );

  it('is none that does not say whether it was used, but is named', () => {
    const { last_used_at: _, ...silent } = key();
    expect(suspectsAmong([silent], attempt)).toMatchObject({ orphans: [], doubtful: [{ id: 'key_1' }] });
  });

  it.each(['CI', ' ci ', 'ci.'])('is none of a name in another form, but is named: %s', (name) => {
    for (const ownName of [undefined, true]) {
      const suspects = suspectsAmong([key({ name })], { ...attempt, ownName });
      expect(suspects).toMatchObject({ orphans: [], doubtful: [{ id: 'key_1' }] });
    }
  });

  it('is none whose secret is in a profile', () => {
    expect(orphansAmong(key(), new Set(['key_1']))).toEqual([]);
    expect(orphansAmong(key({ id: '7', key_id: 'AK1' }), new Set(['AK1']))).toEqual([]);
  });

  it('is unknown where the record does not say what was there', () => {
    expect(suspectsAmong([key()], { ...attempt, before: undefined })).toBeUndefined();
    expect(suspectsAmong([key()], { ...attempt, until: undefined })).toBeUndefined();
  });
});
