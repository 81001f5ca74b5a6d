import { describe, expect, it } from 'vitest';
import { apiKeys } from '../../src/api/resources/api-key.js';
import { teams } from '../../src/api/resources/team.js';
import { NetworkError, ServiceError } from '../../src/errors/errors.js';
import { deleteUnlessGone } from '../../src/organization/run/delete-unless-gone.js';
import { openClient } from '../client/support/open-client.js';
import { hostilePeer, httpAnswer } from '../support/hostile-peer.js';

interface Answers {
  readonly deletion?: number;
  readonly shown?: unknown;
  readonly listed?: readonly unknown[];
}

/** A service that answers each DELETE with a status, and shows these resources by ID and in lists. */
async function apiOf({ deletion = 404, shown, listed = [] }: Answers) {
  const missing = { statusCode: 404, message: 'no' };
  const peer = await hostilePeer(({ method, target }) => {
    if (method === 'DELETE') return httpAnswer(deletion, missing);
    if (/^\/[^/]+\/[^/]+$/.test(target)) return httpAnswer(shown === undefined ? 404 : 200, shown ?? missing);
    return httpAnswer(200, listed);
  });
  return openClient(peer).api;
}

describe('after 404 to the deletion', () => {
  const deleteTeam = async (answers: Answers) =>
    deleteUnlessGone(teams, 'team_a', (await apiOf(answers)).teams);
  const deleteKey = async (answers: Answers) =>
    deleteUnlessGone(apiKeys, 'key_a', (await apiOf(answers)).apiKeys);
  const signing = { id: 'key_test', name: 'signing' };

  it('a resource that is not shown, or shown as deleted, counts as deleted', async () => {
    await deleteTeam({});
    await deleteTeam({ shown: { id: 'team_a', name: 'a', deleted: true } });
    await deleteKey({ listed: [signing] });
  });

  it('one that is shown or, if a key, listed was not deleted', async () => {
    const error = (what: string) =>
      expect.objectContaining({ code: 'not_found', message: expect.stringContaining(what) });
    const still = 'returned 404, although the service shows';
    await expect(deleteTeam({ shown: { id: 'team_a', name: 'a' } })).rejects.toEqual(
      error(`DELETE /teams/team_a ${still} team "team_a"`),
    );
    const key = { id: 'key_a', name: 'a', enabled: true };
    await expect(deleteKey({ shown: key })).rejects.toEqual(error(still));
    await expect(deleteKey({ listed: [signing, key] })).rejects.toEqual(error(still));
  });
});

it('410 needs no look, and no other failure counts as a deletion', async () => {
  const shown = { id: 'key_a', name: 'a', enabled: true };
  await deleteUnlessGone(apiKeys, 'key_a', (await apiOf({ deletion: 410, shown })).apiKeys);
  for (const deletion of [400, 403, 500]) {
    const { apiKeys: calls } = await apiOf({ deletion });
    await expect(deleteUnlessGone(apiKeys, 'key_a', calls), String(deletion)).rejects.toThrow(ServiceError);
  }
  const unreached = (await apiOf({})).apiKeys;
  const calls = { ...unreached, delete: () => Promise.reject(new NetworkError('no way')) };
  await expect(deleteUnlessGone(apiKeys, 'key_a', calls)).rejects.toThrow('no way');
});
