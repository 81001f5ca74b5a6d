import { describe, expect, it } from 'vitest';
import { basicAuthorization, type Credential } from '../../src/signing/index.js';
import { at, quotaHeadersOf } from '../support/caller.js';
import { useServer } from '../support/servers.js';

// Quotas and resources are an organization's own (reference, sections 1 and 8).
const alice: Credential = { keyId: 'key_alice', secret: 'a'.repeat(64) };
const bob: Credential = { keyId: 'key_bob', secret: 'b'.repeat(64) };
const team = { id: 'team_alice', name: 'hers' };
const connection = { id: 'conn_alice', name: 'hers', type: 'x', config: { password: 'hunter2' } };
const context = useServer({
  seed: {
    organizations: [
      {
        name: 'Alice',
        quotas: { teams: 2, connections: 1 },
        keys: [{ id: alice.keyId, secret: alice.secret }, { id: 'key_alice_2' }],
        teams: [team],
        connections: [connection],
      },
      { name: 'Bob', quotas: { teams: 1 }, keys: [{ id: bob.keyId, secret: bob.secret }] },
    ],
  },
});

function send(credential: Credential, method: string, target: string, body?: unknown) {
  return context.caller.send(method, target, { credential, body });
}

const hers = [
  ['/teams', team.id],
  ['/connections', connection.id],
  ['/api-keys', 'key_alice_2'],
] as const;

describe('two organizations on one server', () => {
  it('share no quota headers, even if a request names keys of both', async () => {
    const both = async (keyId: string) => {
      const headers = { authorization: basicAuthorization({ ...bob, keyId }) };
      const answer = await context.caller.send('GET', '/teams', { credential: alice, headers });
      expect(answer.json).toEqual({ statusCode: 400, message: 'Multiple credentials provided' });
      return quotaHeadersOf(answer);
    };
    const none = [undefined, undefined, undefined];
    for (const keyId of ['key_alice_2', 'key_none', bob.keyId]) expect(await both(keyId)).toEqual(none);
    const named = await context.caller.send('GET', '/teams', { credential: { ...alice, secret: 'wrong' } });
    expect(quotaHeadersOf(named)).toEqual(['2', '1', '1']);
  });

  it.each(hers)('%s of one are in no list of the other', async (path, id) => {
    const own = await send(alice, 'GET', `${path}?limit=100`);
    expect(own.text).toContain(id);
    const others = await send(bob, 'GET', `${path}?limit=100`);
    expect(others.status).toBe(200);
    expect(others.text).not.toContain('alice');
    expect(at(others.json, 'total')).toBe(path === '/api-keys' ? 1 : 0);
  });

  it.each(hers)('%s/%s of one does not exist for the other, with any method', async (path, id) => {
    const target = `${path}/${id}`;
    const before = await send(alice, 'GET', target);
    expect(before.status).toBe(200);
    const unknown = await send(bob, 'GET', `${path}/unknown`);
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { name: 'mine now' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await send(bob, method, target, body);
      // As for an ID that nobody has: not even that it is there can be told.
      expect([answer.status, answer.text]).toEqual([404, unknown.text]);
    }
    expect(await send(alice, 'GET', target)).toMatchObject({ status: 200, json: before.json });
  });
});
