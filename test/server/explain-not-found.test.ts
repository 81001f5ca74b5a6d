import { expect, it } from 'vitest';
import { Caller } from './support/caller.js';
import { useServers } from './support/start.js';

const servers = useServers();

it.each([
  ['GET', '/team', 'the API has no path /team', 'did you mean /teams', { step: 'edit', path: '/teams' }],
  ['GET', '/entirely/elsewhere', 'the API has no path /entirely/elsewhere', undefined],
  ['PATCH', '/teams', 'the ID is missing', 'send PATCH /teams/{id}'],
  [
    'PUT',
    '/teams/team_1',
    '/teams/{id} has no PUT',
    expect.stringContaining('PATCH, DELETE'),
    { step: 'edit', method: 'PATCH' },
  ],
  ['GET', '/teams/team_1', 'the organization of the key has no resource with this ID', expect.any(String)],
  ['DELETE', '/teams/team_1', 'the organization of the key has no resource with this ID', expect.any(String)],
])('explains the 404 of %s %s in the journal alone', async (method, target, reason, advice, remedy?) => {
  const server = await servers.start();
  const answer = await new Caller(server).send(method, target);
  expect(answer.json).toEqual({ statusCode: 404, message: 'Not Found' });
  const [entry] = await server.control.journal.get();
  expect(entry?.refusal).toEqual({
    check: 'route',
    reason,
    ...(advice !== undefined && { advice }),
    ...(remedy && { remedy }),
  });
});

it('shows nothing secret of an unknown path', async () => {
  const server = await servers.start();
  await new Caller(server).send('GET', `/${server.secret}`);
  expect(JSON.stringify(await server.control.journal.get())).not.toContain(server.secret);
});
