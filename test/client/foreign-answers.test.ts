import { describe, expect, it } from 'vitest';
import type { Resource } from '../../src/api/resources/resource.js';
import type { Api } from '../../src/client/api.js';
import { type ForeignAnswer, type ForeignForms, foreignService } from '../support/foreign-service.js';
import { failureOf, openClient } from './support/open-client.js';

async function clientOf(forms: ForeignForms) {
  const service = await foreignService({ list: () => ({ body: [] }), ...forms });
  return { ...openClient(service), calls: service.calls };
}

/** What a call fails with, against a service that answers so. */
const failing = async (forms: ForeignForms, call: (api: Api) => Promise<unknown>) =>
  failureOf(call((await clientOf(forms)).api));

const app = { id: 'team_1', name: 'app' };
const get = ({ teams }: Api) => teams.get('team_1');
const create = ({ teams }: Api) => teams.create({ name: 'app' });
const update = ({ teams }: Api) => teams.update('team_1', { name: 'app' });
const remove = ({ teams }: Api) => teams.delete('team_1');

it.each<[string, unknown, unknown]>([
  ['with a field of its own called data', { ...app, data: { id: 'x' } }, { ...app, data: { id: 'x' } }],
  ['with a number as its ID', { id: 5, slug: 'team_1' }, { id: 5, slug: 'team_1' }],
  ['with its ID in team_id', { team_id: 'team_1' }, { team_id: 'team_1', id: 'team_1' }],
])('a single answer is read %s', async (_name, body, expected) => {
  const { api } = await clientOf({ get: () => ({ body }), create: () => ({ status: 200, body }) });
  expect([await get(api), await create(api)]).toEqual([expected, expected]);
});

it.each<[string, unknown, string | undefined]>([
  ['errors beside it', { data: app, errors: [{ message: 'down' }] }, 'server'],
  ['success is false, bare', { ...app, success: false }, 'server'],
  ['a state and a mark of its own', { ...app, ok: false, deleted: false }, undefined],
  ['the status of a failure', { ...app, statusCode: 500 }, undefined],
  ['an error of its own', { ...app, error: 'no route', status: 'error' }, undefined],
])('a team is got, changed or created, as it says: %s', async (_name, body, code) => {
  const forms = { get: () => ({ body }), create: () => ({ status: 201, body }), change: () => ({ body }) };
  for (const call of [get, update, create]) expect((await failing(forms, call))['code']).toBe(code);
});

it('202 to a creation that names another thing is no team, even if that can be read', async () => {
  const body = { id: 'job_1', status: 'queued' };
  const forms = { create: () => ({ status: 202, body }), get: () => ({ body: { id: 'job_1' } }) };
  expect(await failing(forms, create)).toMatchObject({ code: 'outcome_unknown' });
});

it.each(['https://evil.example/teams/team_1', '/api-keys/key_1', '/teams/a/b', '//evil.example/teams/1'])(
  'an empty answer to a creation is not looked up at another place: %s',
  async (Location) => {
    const forms = { create: () => ({ status: 201, headers: { Location } }), get: () => ({ body: app }) };
    const { api, calls } = await clientOf(forms);
    expect(await failureOf(create(api))).toMatchObject({ code: 'server' });
    expect(calls).toEqual(['POST /teams']);
  },
);

it.each<[string, ForeignAnswer, string]>([
  ['the status of a refusal', { body: { statusCode: 409, message: 'in use' } }, 'in use'],
  ['206', { status: 206, body: {} }, 'returned 206'],
  ['no success, in an envelope', { body: { data: { success: false, message: 'locked' } } }, 'locked'],
])('an answer to DELETE may say that it is not done: %s', async (_name, answer, said) => {
  const failure = { code: 'server', message: expect.stringContaining(said) };
  expect(await failing({ change: () => answer }, remove)).toMatchObject(failure);
});

describe('an answer to PATCH', () => {
  it.each<[string, unknown]>([
    ['a refusal by its status', { statusCode: 409, message: 'in use' }],
    ['a problem by RFC 9457', { type: 'about:blank', status: 409, title: 'Conflict' }],
    ['no success, in an envelope', { data: { success: false } }],
  ])('may not say that it is done: %s', async (_name, body) => {
    expect(await failing({ change: () => ({ body }) }, update)).toMatchObject({ code: 'server' });
  });

  const config = { host: 'old', port: 5432, database: 'd', user: 'u', ssl: true };
  const seen: Resource = { id: 'conn_1', name: 'old', type: 'pg', config };

  it.each<[object, string]>([
    [{ config: { host: 'new' } }, 'config.host: "old", although "new" was sent'],
    [{ config: { port: 1 } }, 'config.port: 5432, although 1 was sent'],
  ])('or a look may show that it ignored the change: %j', async (patch, said) => {
    for (const body of [seen, {}, { ok: true }]) {
      const forms = { change: () => ({ body }), get: () => ({ body: seen }) };
      const failure = await failing(forms, ({ connections }) => connections.update('conn_1', patch));
      expect(failure).toMatchObject({ code: 'server', message: expect.stringContaining(said) });
    }
  });
});

it.each<[unknown, unknown]>([
  [{ errors: [{ field: 'name', message: 'is too long' }, 'and more'] }, 'name: is too long; and more'],
  [{ message: 'Bad', errors: [{ path: 'name', message: 'is too long' }] }, 'Bad: name: is too long'],
  [{ constructor: 'x' }, expect.stringContaining('the service returned 409: {"constructor"')],
])('a refusal says what %j says', async (body, message) => {
  const service = await foreignService({ create: () => ({ status: 409, body }) });
  const failure = await failureOf(openClient(service).api.teams.create({ name: 'a' }));
  expect(failure).toMatchObject({ code: 'rejected', message });
});

const secret = `${'Zq7'.repeat(21)}x`;
const key = { id: 'key_new', name: 'ci' };

it.each(
  Object.entries({
    'the reference’s names': { ...key, secret },
    secret_key: { ...key, secret_key: secret },
    'api_secret, in data': { data: { ...key, api_secret: secret } },
    'token, in key': { key: { ...key, token: secret } },
    'a short secret under a known name': { ...key, clientSecret: 'short' },
    'the secret beside the key': { api_key: key, secret },
    'a number beside the ID that signs': { id: 5, key_id: 'key_new', name: 'ci', secret },
    'the ID that signs in key': { data: { key: 'key_new', name: 'ci', secret } },
    'a digest beside the secret': { ...key, secret, fingerprint: 'f'.repeat(64) },
    'an unknown name of 64 characters': { ...key, once: secret, sha256: 'f'.repeat(64) },
    'only the end of it in secret': { ...key, secret: '****1234', plaintext: secret },
    'a mask of a known name, the secret under an unknown one': {
      ...key,
      secret: 'Zq7Z…',
      once_shown: secret,
    },
  }),
)('a new key as %s has its ID and its secret', async (_name, body) => {
  const { api } = openClient(await foreignService({ create: () => ({ status: 201, body }) }));
  const expected = JSON.stringify(body).includes('short') ? 'short' : secret;
  expect(await api.apiKeys.create({ name: 'ci' })).toMatchObject({ id: 'key_new', secret: expected });
});

it.each(['****14da', '5ec3bc...', '********', 'xxxxxxxxxxxx', '[REDACTED]'])(
  'a mask is no secret: %s',
  async (masked) => {
    const answer = { status: 201, body: { ...key, secret: masked, other: 'short' } };
    const { api } = openClient(await foreignService({ create: () => answer }));
    const failure = await api.apiKeys.create({ name: 'ci' }).catch((error: unknown) => error);
    const message = expect.stringContaining('looked for an ID, and a secret that is not masked');
    expect(failure).toMatchObject({ code: 'server', message, answer: { body: expect.anything() } });
  },
);
