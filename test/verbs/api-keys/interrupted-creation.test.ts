import { describe, expect, it } from 'vitest';
import {
  InterruptedError,
  NetworkError,
  OutcomeUnknownError,
  ServiceError,
} from '../../../src/errors/errors.js';
import type { PendingCreation } from '../../../src/profiles/file/profile-file.js';
import {
  beginCreation,
  mayExistHint,
  wasCertainlyNotDone,
} from '../../../src/verbs/api-keys/interrupted-creation.js';
import { digestAll } from '../../../src/verbs/api-keys/orphans.js';
import { noon, openClient } from '../../client/support/open-client.js';
import { hostilePeer, httpAnswer } from '../../support/hostile-peer.js';

interface Key {
  readonly id: string;
  readonly name?: string;
  readonly [field: string]: unknown;
}

/** A service with these keys, which keeps what it was asked to delete; `listing` is the status of its lists. */
async function serviceOf(keys: readonly Key[], { listing = 200, deletion = 204 } = {}) {
  const deleted: string[] = [];
  const peer = await hostilePeer(({ method, target }) => {
    if (method === 'GET') return httpAnswer(listing, keys);
    deleted.push(target.replace('/api-keys/', ''));
    return httpAnswer(deletion, deletion === 204 ? '' : { statusCode: deletion, message: 'no' });
  });
  const { api } = openClient(peer);
  return { api, apiKeys: api.apiKeys, deleted, peer };
}

/** A creation on a record that an interrupted run left, with all that was written down, in order. */
async function begin(
  { left, ...wanted }: { left?: PendingCreation; name?: string; ownName?: (id: string) => string },
  service: Awaited<ReturnType<typeof serviceOf>>,
) {
  const begun: [PendingCreation, string[]][] = [];
  const notes: string[] = [];
  const looked: string[] = [];
  const record = {
    left,
    begin: async (creation: PendingCreation) => void begun.push([creation, [...service.deleted]]),
  };
  const context = {
    note: async (text: string) => void notes.push(text),
    progress: async ({ label }: { label: string }) => {
      looked.push(label);
      return { tick: () => undefined, done: () => undefined };
    },
  };
  const creation = await beginCreation(record, wanted, async (orphans) => orphans, service.api, context);
  return { creation, begun, notes, looked };
}

const since = '2026-01-01T00:00:00.000Z';
const until = '2026-01-01T00:01:00.000Z';
const left = { id: '0', since, until, name: 'ci', before: digestAll(['key_old']) };
const old = { id: 'key_old', name: 'ci' };
const orphan = { id: 'key_orphan', name: 'ci', created_at: '2026-01-01T00:00:30Z', last_used_at: null };
const freshId = expect.stringMatching(/^[0-9a-f]{8}$/);
/** When an attempt of this client begins, and ends at most. */
const attempt = { since: new Date(noon).toISOString(), until: new Date(noon + 60_000).toISOString() };

describe('a creation is written down', () => {
  it('with all keys that there are', async () => {
    const service = await serviceOf([old, { id: 'key_else', name: 'else' }, { id: 'key_nameless' }]);
    const wanted = { name: 'ci', ownName: (id: string) => `own ${id}` };
    const { creation, begun, notes, looked } = await begin(wanted, service);
    expect(creation).toEqual({
      id: freshId,
      ...attempt,
      name: 'ci',
      before: digestAll(['key_old', 'key_else', 'key_nameless']),
    });
    expect(begun).toEqual([[creation, []]]);
    expect([notes, looked]).toEqual([[], ['reading API keys']]);
  });

  it('with a name of its own', async () => {
    const service = await serviceOf([]);
    const { creation } = await begin({ ownName: (id) => `own ${id}` }, service);
    const name = `own ${creation.id}`;
    expect(creation).toEqual({ id: freshId, ...attempt, name, ownName: true, before: [] });
  });

  it('without a name where it has none', async () => {
    const service = await serviceOf([old]);
    expect((await begin({}, service)).creation).toEqual({ id: freshId, ...attempt });
    expect(service.peer.requests).toEqual([]);
  });

  it.each([404, 403, 400])('without known keys where the list is answered with %i', async (listing) => {
    const service = await serviceOf([old], { listing });
    const { creation } = await begin({ name: 'ci' }, service);
    expect(creation).toEqual({ id: freshId, ...attempt, name: 'ci' });
  });

  it.each([401, 500])('not at all where the list is answered with %i', async (listing) => {
    const service = await serviceOf([old], { listing });
    await expect(begin({ name: 'ci' }, service)).rejects.toThrow(ServiceError);
  });
});

describe('the key of an interrupted run', () => {
  it.each(['ci', 'else'])(
    'is deleted once its record is taken over, and then %s is written down',
    async (name) => {
      const service = await serviceOf([old, orphan, { id: 'key_else', name: 'else' }]);
      const { creation, begun, notes } = await begin({ left, name }, service);
      // The list of this service has it still.
      const before = digestAll(['key_old', 'key_orphan', 'key_else']);
      expect(creation).toEqual({ id: freshId, ...attempt, name, before });
      expect(begun).toEqual([
        [{ ...left, id: creation.id }, []],
        [creation, ['key_orphan']],
      ]);
      const note = 'deleted key_orphan: an interrupted run created it, and its secret was never stored';
      expect([service.deleted, notes]).toEqual([['key_orphan'], [note]]);
    },
  );

  it('is none that was made at another time, which is named', async () => {
    const service = await serviceOf([old, { ...orphan, created_at: '2025-12-31T23:50:00Z' }]);
    const { notes } = await begin({ left, name: 'ci' }, service);
    expect(service.deleted).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/not changed. To see it$/)]);
  });

  it('is named where it is not listed, because a service may list it late', async () => {
    const { notes } = await begin({ left, name: 'ci' }, await serviceOf([old]));
    expect(notes).toEqual([
      `the service lists no key named "ci" from the interrupted run at ${since}; if one appears later, delete it`,
    ]);
  });

  it.each([
    [{ id: '0', since }, [], `a key at ${since}`],
    [{ id: '0', since, name: 'ci' }, [], `a key named "ci" at ${since}`],
    [{ ...left, until: undefined }, [], `a key named "ci" at ${since}`],
    [{ ...left, since: 'noon' }, [], 'a key named "ci" at noon'],
    [left, [404], `a key named "ci" at ${since}`],
  ])('is named where nobody can tell which it is: %j %j', async (record, [listing], which) => {
    const service = await serviceOf([old, orphan], { ...(listing && { listing }) });
    const { notes } = await begin({ left: record, name: 'other' }, service);
    expect(service.deleted).toEqual([]);
    expect(notes).toEqual([
      `an interrupted run may have created ${which} and lost its secret; find it in the console or the list, and delete it`,
    ]);
  });

  it('is each that the rule chooses', async () => {
    const service = await serviceOf([old, orphan, { ...orphan, id: 'key_second' }]);
    await begin({ left: { ...left, ownName: true } }, service);
    expect(service.deleted).toEqual(['key_orphan', 'key_second']);
  });
});

it('a key that may exist is looked for later, because a service may list it late', () =>
  expect(mayExistHint(left)).toBe(
    'a key named "ci" may have been created, and its secret was lost. Wait a minute, because the service may list the key late, and run the same command again; it looks for that key first',
  ));

it.each([
  [new OutcomeUnknownError('a'), false],
  [new Error('a bug'), false],
  [new InterruptedError('SIGHUP', { method: 'POST' }), false],
  [new InterruptedError('SIGINT'), true],
  [new ServiceError('forbidden', 'a'), true],
  [new NetworkError('a'), true],
])('what ended with %s is certainly not done: %s', (error, expected) => {
  expect(wasCertainlyNotDone(error)).toBe(expected);
});
