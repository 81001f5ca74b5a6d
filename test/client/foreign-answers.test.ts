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

describe('a single answer', () => {
  it.each<[string, unknown, unknown]>([
    ['bare', app, app],
    ['in data', { data: app }, app],
    ['in result', { result: app, ok: true }, app],
    ['in its own name', { team: app }, app],
    ['with a field of its own called data', { ...app, data: { id: 'x' } }, { ...app, data: { id: 'x' } }],
    ['with a number as its ID', { id: 5, slug: 'team_1' }, { id: 5, slug: 'team_1' }],
    [
      'with attributes of its own',
      { ...app, attributes: { name: 'x' } },
      { ...app, attributes: { name: 'x' } },
    ],
    ['with its ID in team_id', { team_id: 'team_1' }, { team_id: 'team_1', id: 'team_1' }],
  ])('is read %s', async (_name, body, expected) => {
    const { api } = await clientOf({ get: () => ({ body }), create: () => ({ status: 200, body }) });
    expect([await get(api), await create(api)]).toEqual([expected, expected]);
  });

  it.each<[string, unknown, readonly unknown[]]>([
    ['success is false', { success: false, data: app }, ['server', 'server', 'server']],
    ['errors beside it', { data: app, errors: [{ message: 'down' }] }, ['server', 'server', 'server']],
    ['success is false, bare', { ...app, success: false }, ['server', 'server', 'server']],
    ['a state and a mark of its own', { ...app, ok: false, deleted: false }, []],
    ['the status of a failure', { ...app, statusCode: 500 }, []],
    ['a message of failure', { ...app, error_message: 'down' }, []],
    ['an error of its own', { ...app, error: 'no route', status: 'error' }, []],
  ])('is done, got, changed or created, as it says: %s', async (_name, body, codes) => {
    const forms = { get: () => ({ body }), create: () => ({ status: 201, body }), change: () => ({ body }) };
    for (const [at, call] of [get, update, create].entries())
      expect((await failing(forms, call))['code']).toBe(codes[at]);
  });
});

describe('202 to a creation', () => {
  it.each<[string, object, ForeignAnswer, object]>([
    ['a team that is there', app, { body: { data: app } }, { resolved: app }],
    ['a team that is not there', app, { status: 404 }, { code: 'outcome_unknown', status: 202 }],
    ['the job', { ...app, id: 'job_1' }, { status: 404 }, { code: 'outcome_unknown' }],
    [
      'something else',
      { id: 'job_1', status: 'queued' },
      { body: { id: 'job_1' } },
      { code: 'outcome_unknown' },
    ],
  ])('is done only if the team can be read: %s', async (_name, body, got, outcome) => {
    const forms = { create: () => ({ status: 202, body }), get: () => got };
    expect(await failing(forms, create)).toMatchObject(outcome);
  });
});

describe('an empty answer to a creation', () => {
  it.each([201, 202, 204])('%i has its resource at Location', async (status) => {
    const created = () => ({ status, headers: { Location: '/teams/team_1' } });
    const { api, calls } = await clientOf({ create: created, get: () => ({ body: { data: app } }) });
    expect(await create(api)).toEqual(app);
    expect(calls).toEqual(['POST /teams', 'GET /teams/team_1']);
    const unseen = status === 202 ? { code: 'outcome_unknown', status } : { resolved: { id: 'team_1' } };
    for (const got of [404, 500])
      expect(await failing({ create: created, get: () => ({ status: got }) }, create)).toMatchObject(unseen);
  });

  it.each([
    'https://evil.example/teams/team_1',
    '/api-keys/key_1',
    '/teams/',
    '/teams/a/b',
    '//evil.example/teams/1',
  ])('is not looked up at another place: %s', async (Location) => {
    const forms = { create: () => ({ status: 201, headers: { Location } }), get: () => ({ body: app }) };
    const { api, calls } = await clientOf(forms);
    expect(await failureOf(create(api))).toMatchObject({ code: 'server' });
    expect(calls).toEqual(['POST /teams']);
  });
});

describe('an answer to DELETE', () => {
  it.each<[string, ForeignAnswer, string]>([
    ['an error', { body: { deleted: false, error: 'still in use' } }, 'still in use'],
    ['no success', { body: { success: false, message: 'still in use' } }, 'still in use'],
    ['deleted is false', { body: { deleted: false } }, 'deleted'],
    ['the status of a refusal', { body: { statusCode: 409, message: 'in use' } }, 'in use'],
    ['206', { status: 206, body: {} }, 'returned 206'],
    ['207', { status: 207, body: { results: [{ status: 409 }] } }, 'returned 207'],
    ['no success, in an envelope', { body: { data: { success: false, message: 'locked' } } }, 'locked'],
  ])('may say that it is not done: %s', async (_name, answer, said) => {
    const failure = { code: 'server', message: expect.stringContaining(said) };
    expect(await failing({ change: () => answer }, remove)).toMatchObject(failure);
  });

  it.each([{}, 'null'])('that says nothing is done only when the resource is gone: 200 %j', async (body) => {
    const change = () => ({ body });
    const still = { change, get: () => ({ body: app }) };
    expect(await failing(still, remove)).toMatchObject({ code: 'outcome_unknown' });
    const gone = await clientOf({ change });
    await remove(gone.api);
    expect(gone.calls.slice(0, 2)).toEqual(['DELETE /teams/team_1', 'GET /teams/team_1']);
  });

  it.each([app, { ...app, status: 'pending_deletion' }, { data: app }])(
    'with the record alone leaves the outcome unknown while the service shows it: %j',
    async (body) => {
      const still = { change: () => ({ body }), get: () => ({ body }) };
      expect(await failing(still, remove)).toMatchObject({ code: 'outcome_unknown' });
      await remove((await clientOf({ change: () => ({ body }) })).api);
    },
  );
});

describe('an answer to PATCH', () => {
  it.each<[string, ForeignAnswer, string]>([
    ['206', { status: 206, body: app }, 'server'],
    ['207', { status: 207, body: {} }, 'server'],
    ['a refusal by its status', { body: { statusCode: 409, message: 'in use' } }, 'server'],
    ['a problem by RFC 9457', { body: { type: 'about:blank', status: 409, title: 'Conflict' } }, 'server'],
    ['no success, in an envelope', { body: { data: { success: false } } }, 'server'],
    ['another value', { body: { ...app, name: 'other' } }, 'server'],
    ['202, nothing', { status: 202, body: {} }, 'outcome_unknown'],
    ['202, the team', { status: 202, body: app }, 'outcome_unknown'],
    ['202, the team as it still is', { status: 202, body: { ...app, name: 'old' } }, 'outcome_unknown'],
  ])('may not say that it is done: %s', async (_name, answer, code) => {
    const failure = await failing({ change: () => answer }, update);
    expect(failure['code']).toBe(code);
    const contradicted = 'it may or may not have been carried out; check before you repeat it: orgctl';
    if (code === 'server') expect(failure['hint']).toContain(contradicted);
  });

  const config = { host: 'old', port: 5432, database: 'd', user: 'u', ssl: true };
  const connection = { id: 'conn_1', name: 'old', type: 'pg', config };
  const kinds = {
    teams: { id: 'team_1', name: 'old' },
    apiKeys: { id: 'key_9', name: 'old' },
    connections: connection,
  };

  it.each<[keyof typeof kinds, object, string]>([
    ['teams', { name: 'new' }, 'name: "old", although "new" was sent'],
    ['apiKeys', { name: 'new' }, 'name: "old", although "new" was sent'],
    ['connections', { config: { host: 'new' } }, 'config.host: "old", although "new" was sent'],
    ['connections', { config: { port: 1 } }, 'config.port: 5432, although 1 was sent'],
  ])('or a look may show that it ignored the change: %s, %j', async (kind, patch, said) => {
    const seen: Resource = kinds[kind];
    for (const body of [seen, {}, { ok: true }]) {
      const failure = await failing({ change: () => ({ body }), get: () => ({ body: seen }) }, (api) =>
        api[kind].update(String(seen['id']), patch),
      );
      expect(failure).toMatchObject({ code: 'server', message: expect.stringContaining(said) });
    }
  });
});
