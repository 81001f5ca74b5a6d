import { beforeEach, describe, expect, it } from 'vitest';
import type { CallArguments, ControlCallName } from '../../src/api/control/call-types.js';
import { controlCalls, controlPath, type TargetParts, writeTarget } from '../../src/api/control/calls.js';
import { controlAnswers } from '../../src/api/control/control-answers.js';
import { resources } from '../../src/api/resources/index.js';
import { teams } from '../../src/api/resources/team.js';
import { envelopeSchema } from '../../src/api/schema/envelope.js';
import type { z } from '../../src/api/schema/schema.js';
import type { RunningServer } from '../../src/server/index.js';
import { readMountedRoutes } from '../support/mounted-routes.js';
import { at } from './support/caller.js';
import { controller } from './support/controller.js';
import { useServer } from './support/start.js';

const running = useServer({
  console: true,
  saveProfile: async () => true,
  requestStop: () => undefined,
});
beforeEach(() => running.server.control.reset());
const callNames = Object.keys(controlCalls).filter((name): name is ControlCallName => name in controlCalls);
const answers: Partial<Record<ControlCallName, z.ZodMiniType>> = {
  ...controlAnswers,
  'items.list': envelopeSchema(teams.answer()),
  'items.create': teams.answer(),
  'items.get': teams.answer(),
  'items.update': teams.answer(),
};

interface Given extends TargetParts {
  readonly body?: object;
}

/** What is given for each call so that a server carries it out. */
async function givenFor(server: RunningServer): Promise<CallArguments> {
  const control = controller(server);
  const { id, secret } = await server.control.keys.issue();
  const snapshot = await server.control.snapshot();
  const team = await control('POST', '/teams', { name: 'one' });
  const one = { kind: 'teams', id: String(at(team.json, 'id')) };
  await fetch(`${server.url}/quotas`);
  const [entry] = await server.control.journal.get({ limit: 1 });
  const signed = { method: 'GET', target: '/quotas', timestamp: '1', signature: 'x' };
  return {
    'console.link': [],
    'console.invite': [],
    'data.reset': [],
    'data.snapshot': [],
    'data.snapshots': [],
    'data.restore': [{ body: { snapshot } }],
    'clock.get': [],
    'clock.set': [{ body: { time: '2030-01-01T00:00:00Z' } }],
    'clock.advance': [{ body: { by: '1m' } }],
    'faults.get': [],
    'faults.set': [{ body: { rules: ['GET /teams=503x1'] } }],
    'faults.clear': [],
    'stubs.get': [],
    'stubs.set': [{ body: { stubs: ['GET /teams=200 []'] } }],
    'stubs.clear': [],
    'rateLimit.get': [],
    'rateLimit.set': [{ body: { requests: 9, window: '1m' } }],
    'rateLimit.clear': [],
    'organizations.list': [],
    'quotas.get': [{ query: { organization: server.organization } }],
    'quotas.set': [{ body: { limits: { teams: 9 } } }],
    'keys.first': [],
    'keys.list': [],
    'keys.issue': [{ body: {} }],
    'keys.disable': [{ params: { id } }],
    'keys.enable': [{ params: { id } }],
    'keys.rename': [{ body: { id, name: 'renamed' } }],
    'keys.revoke': [{ params: { id } }],
    'profiles.save': [{ body: { name: 'local', keyId: id, secret } }],
    'server.stop': [],
    'status.get': [],
    'journal.list': [{ query: { limit: '1' } }],
    'journal.get': [{ params: { id: String(entry?.id) } }],
    'journal.clear': [],
    'journal.follow': [{ query: { status: '4xx' } }],
    'requests.send': [{ body: { method: 'GET', target: '/quotas' } }],
    'signatures.check': [{ body: { keyId: id, ...signed } }],
    'items.list': [{ params: { kind: one.kind } }],
    'items.create': [{ params: { kind: one.kind }, body: { name: 'two' } }],
    'items.get': [{ params: one }],
    'items.update': [{ params: one, body: { name: 'three' } }],
    'items.delete': [{ params: one }],
  };
}

describe('a call of the control API', () => {
  it.each(callNames)('is answered as the table has it: %s', async (name) => {
    const { server } = running;
    const [given = {}]: readonly [Given?] = (await givenFor(server))[name];
    const { method, status } = controlCalls[name];
    const answer = await fetch(server.url + controlPath + writeTarget(controlCalls[name], given), {
      method,
      headers: { authorization: `Bearer ${server.controlToken}`, 'content-type': 'application/json' },
      ...(given.body && { body: JSON.stringify(given.body) }),
    });
    expect(answer.status).toBe(status);
    // Goes on until its reader leaves.
    if (name === 'journal.follow') return answer.body?.cancel();
    const text = await answer.text();
    if (status === 204) expect(text).toBe('');
    else expect(answers[name]?.safeParse(JSON.parse(text))).toMatchObject({ success: true });
  });

  it('is a route of both listeners, and there is no other', async () => {
    const kinds = resources.map(({ kind }) => kind).filter((kind) => kind !== 'api-keys');
    const expected = callNames.flatMap((name) => {
      const { method, path } = controlCalls[name];
      const paths = path.includes('{kind}') ? kinds.map((kind) => path.replace('{kind}', kind)) : [path];
      const isRead = name === 'items.list' || name === 'items.get';
      const methods = isRead ? [method, 'HEAD'] : [method];
      return paths.flatMap((one) => methods.map((verb) => `${verb} ${controlPath}${one}`));
    });
    const listeners = await readMountedRoutes({ console: true });
    expect(listeners).toHaveLength(2);
    for (const routes of listeners) {
      const mounted = routes
        .filter(({ path }) => path.startsWith(controlPath))
        .map(({ method, path }) => `${method} ${path}`);
      expect(mounted.sort()).toEqual(expected.sort());
    }
  });

  it('is written as a target: parameters escaped, parts of a query that are not given left out', () => {
    expect(writeTarget(controlCalls['items.get'], { params: { kind: 'teams', id: 'a/b?c#d$&' } })).toBe(
      '/teams/a%2Fb%3Fc%23d%24%26',
    );
    const query = { organization: 'a b&c', search: undefined };
    expect(writeTarget(controlCalls['items.list'], { params: { kind: 'teams' }, query })).toBe(
      '/teams?organization=a+b%26c',
    );
  });
});
