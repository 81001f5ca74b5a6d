import { describe, expect, it } from 'vitest';
import { basicAuthorization } from '../../src/signing/index.js';
import { Caller, signedGet } from './support/caller.js';
import { answersIn, rawExchange } from './support/raw-exchange.js';
import { useServer, useServers } from './support/start.js';
import { through } from './support/through-proxy.js';

const context = useServer();
const servers = useServers();

function basic(): string {
  return `Authorization: ${basicAuthorization(context.server)}`;
}

function signed(target: string): string[] {
  return Object.entries(signedGet(context.server, target)).map(([name, value]) => `${name}: ${value}`);
}

function send(target: string, ...headers: string[]): Promise<string> {
  const lines = [`GET ${target} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, 'Connection: close', '', ''];
  return rawExchange(context.server, lines.join('\r\n'));
}

async function statusOf(target: string, ...headers: string[]): Promise<number | undefined> {
  return answersIn(await send(target, ...headers)).statuses[0];
}

describe('many headers', () => {
  const many = (count: number) => Array.from({ length: count }, () => 'X:y');

  it('are seen to the last, up to 1000', async () => {
    // Beside Host, Connection and the credential; a proxy adds Via.
    const others = through(997, 996);
    expect(await statusOf('/quotas', ...many(others), basic())).toBe(200);
    // Both credentials, however far apart.
    expect(await statusOf('/quotas', basic(), ...many(others - 1), 'X-API-Key: key_a')).toBe(400);
  });

  it.each([998, 2500])('beyond are 431, and not half of them looked at: %i', async (count) => {
    const body = { statusCode: 431, message: 'Request Header Fields Too Large' };
    expect(answersIn(await send('/quotas', basic(), ...many(count)))).toEqual({ statuses: [431], body });
  });
});

// Each header of a credential: test/signing/scheme.test.ts.
describe('a header that was sent twice', () => {
  it.each([
    ['Authorization', () => [basic(), basic()]],
    ['Content-Type', () => [basic(), 'Content-Type: application/json', 'Content-Type: text/plain']],
    ['X-API-SIGNATURE', () => [...signed('/quotas'), 'X-API-SIGNATURE:']],
  ])('is 400: %s', async (name, headers) => {
    const body = { statusCode: 400, message: `Bad Request: ${name} was sent twice` };
    expect(answersIn(await send('/quotas', ...headers()))).toEqual({ statuses: [400], body });
    const [entry] = (await context.server.control.journal.get({ refused: true })).slice(-1);
    expect(entry?.refusal).toMatchObject({ check: 'request', reason: `the header ${name} appears twice` });
  });

  it('is 400: Host, which a proxy refuses before it passes', async () => {
    const answer = answersIn(await send('/quotas', basic(), 'Host: localhost'));
    const message = through('Bad Request: Host was sent twice', 'Bad Request');
    expect(answer).toEqual({ statuses: [400], body: { statusCode: 400, message } });
    const [entry] = (await context.server.control.journal.get({ refused: true })).slice(-1);
    const refusal = { check: 'request', reason: 'the header Host appears twice' };
    expect(entry?.refusal).toEqual(through(expect.objectContaining(refusal), entry?.refusal));
  });

  it('is 400 for the control API, too', async () => {
    const token = `Authorization: Bearer ${context.server.controlToken}`;
    expect(await statusOf('/_control/clock', token)).toBe(200);
    expect(await statusOf('/_control/clock', token, 'Authorization: Bearer x')).toBe(400);
    const origins = ['Origin: http://127.0.0.1', 'Origin: null'];
    expect(await statusOf('/_control/clock', token, ...origins)).toBe(through(400, 403));
  });

  it('is nothing special where it means nothing', async () => {
    expect(await statusOf('/quotas', basic(), 'X: 1', 'X: 2', 'Accept: a', 'Accept: b')).toBe(200);
  });
});

describe('a target in absolute form', () => {
  it.each(['http://127.0.0.1', 'HTTP://127.0.0.1', 'https://example.com:1234'])(
    'has its path signed: %s',
    async (origin) => {
      // A proxy passes nothing to other hosts.
      const isPassed = through(true, !origin.includes('example.com'));
      for (const target of ['/quotas', '/teams?limit=5', '/teams/none']) {
        const status = target.endsWith('none') ? 404 : 200;
        expect(await statusOf(origin + target, ...signed(target))).toBe(isPassed ? status : 403);
        expect(await statusOf(origin + target, ...signed(origin + target))).toBe(isPassed ? 401 : 403);
      }
      expect(await statusOf(`${origin}?a`, ...signed('/?a'))).toBe(isPassed ? 404 : 403);
    },
  );

  it('steers nothing under the name of another host', async () => {
    const token = `Authorization: Bearer ${context.server.controlToken}`;
    expect(await statusOf('http://localhost/_control/clock', token)).toBe(200);
    expect(await statusOf('http://example.com/_control/clock', token)).toBe(403);
  });
});

it('quota headers are in the answers of their endpoint alone, however the path is spelt', async () => {
  const own = [
    '/teams#part',
    '/teams?limit=1#part',
    '/%74eams/%zz',
    '/teams/%zz',
    'http://127.0.0.1/teams/x#a',
  ];
  const others = ['/quotas', '/teamsters', '/x/teams', '/?/teams', '/%2fteams'];
  for (const target of [...own, ...others]) {
    const hasQuota = /^x-quota-limit: 20\r\n/im.test(await send(target, basic()));
    expect([target, hasQuota]).toEqual([target, own.includes(target)]);
  }
});

describe('faults', () => {
  const failing = useServer({ faults: ['* *=599'] });

  it('never touch the control API or what else is not the service', async () => {
    const { server } = failing;
    for (const target of [
      ...[
        '/_control/clock',
        '/_control?a=/teams',
        '//_control/clock',
        '/%5fcontrol/clock',
        '/_CONTROL/clock',
      ],
      ...['/./_control/clock', '/teams/../_control/clock', '/\\_control', '/healthz', '/%68ealthz/ready'],
      'HTTP://127.0.0.1//%5Fcontrol/clock',
    ]) {
      const head = [`GET ${target} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', '', ''].join('\r\n');
      const [status] = answersIn(await rawExchange(server, head)).statuses;
      expect([target, status]).not.toEqual([target, 599]);
    }
    expect(await server.control.faults.get()).toEqual([{ rule: '* *=599', hits: 0 }]);
  });

  it('strike the service, however the path is spelt', async () => {
    const faults = ['* /teams=599', '* /_controls=599'] as const;
    const caller = new Caller(await servers.start({ faults }), { atFault: true });
    for (const target of ['/teams', '/teams#a', '/%74eams', '/teams?/_control', '/_controls']) {
      expect([target, (await caller.send('GET', target)).status]).toEqual([target, 599]);
    }
    expect((await caller.send('GET', 'http://a/teams?b')).status).toBe(through(599, 403));
  });
});
