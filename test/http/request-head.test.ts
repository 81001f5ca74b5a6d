import { describe, expect, it } from 'vitest';
import { basicAuthorization } from '../../src/signing/index.js';
import { useServer } from '../support/servers.js';
import { answersIn, rawExchange } from './support/raw-exchange.js';

const context = useServer();

function basic(): string {
  return `Authorization: ${basicAuthorization(context.server)}`;
}

function send(target: string, ...headers: string[]): Promise<string> {
  const lines = [`GET ${target} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, 'Connection: close', '', ''];
  return rawExchange(context.server, lines.join('\r\n'));
}

async function statusOf(target: string, ...headers: string[]): Promise<number | undefined> {
  return answersIn(await send(target, ...headers)).statuses[0];
}

// Each header of a credential: test/http/credentials.test.ts.
it('a request with a header twice gets 400, and the journal names the header', async () => {
  const twice = ['Content-Type: application/json', 'Content-Type: text/plain'];
  const body = { statusCode: 400, message: 'Bad Request: Content-Type was sent twice' };
  expect(answersIn(await send('/quotas', basic(), ...twice))).toEqual({ statuses: [400], body });
  const [entry] = await context.server.control.journal.get({ refused: true });
  expect(entry?.refusal).toEqual({ check: 'request', reason: 'the header Content-Type appears twice' });
});

describe('a target in absolute form', () => {
  it('does not reach the control API with the name of another host', async () => {
    const token = `Authorization: Bearer ${context.server.controlToken}`;
    expect(await statusOf('http://localhost/_control/clock', token)).toBe(200);
    expect(await statusOf('http://example.com/_control/clock', token)).toBe(403);
  });
});

it('only responses to paths of a kind have its quota headers, however the path is spelled', async () => {
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

  it('never apply to the control API or other paths outside the service', async () => {
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
});
