import { expect, it } from 'vitest';
import { Caller } from './support/caller.js';
import { useServers } from './support/start.js';

const servers = useServers();

it.each([
  ['GET', '/team', 'the API has no path /team', 'did you mean /teams', { step: 'edit', path: '/teams' }],
  ['GET', '/entirely/elsewhere', 'the API has no path /entirely/elsewhere', undefined],
  [
    'GET',
    '/teams/%zz?a=%41',
    'the path has the malformed escape %zz',
    'write two hexadecimal digits after %, and a % itself as %25',
  ],
  ['GET', '/teams/50%', 'the path has the malformed escape %', expect.stringContaining('%25')],
  [
    'GET',
    '/teams/%C3%A9%ff%fe',
    'the path has escapes that are not UTF-8: %C3%A9%ff%fe',
    'escape the bytes of the text in UTF-8',
  ],
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
