import { describe, expect, it } from 'vitest';
import { Faults } from '../../src/api/faults/faults.js';
import type { FaultRuleText, LogEntry } from '../../src/server/index.js';
import { type Answer, at, Caller } from './support/caller.js';
import { authorize, writeHead } from './support/raw-exchange.js';
import { useSockets } from './support/socket-client.js';
import { useServers } from './support/start.js';
import { addressed, through } from './support/through-proxy.js';

const servers = useServers();
const sockets = useSockets();

async function callerWith(...faults: FaultRuleText[]): Promise<Caller> {
  return new Caller(await servers.start({ faults }), { atFault: true });
}

/** The code of the error that a request ends with when its connection is cut; else the status. */
function failureOf(answer: Promise<Answer>): Promise<unknown> {
  return answer.then(
    ({ status }) => status,
    (error: unknown) => Reflect.get(Object(error), 'code'),
  );
}

/** A proxy answers in its own name where the service cut the connection before its response. */
const cut = through<unknown>('ECONNRESET', 502);

describe('a status', () => {
  it('is answered as often as it says, with the body of every error and Retry-After', async () => {
    const caller = await callerWith(
      ...(['GET /quotas=503x2', 'GET /teams=429:90s', 'GET /api-keys=500'] as const),
      'GET /connections=503:200ms',
    );
    const first = await caller.send('GET', '/quotas');
    expect(first).toMatchObject({ json: { statusCode: 503, message: 'Service Unavailable' }, status: 503 });
    expect(first.headers['retry-after']).toBe('1');
    const second = await caller.send('GET', '/quotas?a=1');
    expect([second.status, (await caller.send('GET', '/quotas')).status]).toEqual([503, 200]);
    const waiting = await caller.send('GET', '/teams');
    expect(waiting.headers['retry-after']).toBe('90');
    expect(waiting.json).toEqual({ statusCode: 429, message: 'Too Many Requests' });
    expect((await caller.send('GET', '/api-keys')).headers).not.toHaveProperty('retry-after');
    // A client that was told to wait for 0 s would come back at once.
    expect((await caller.send('GET', '/connections')).headers['retry-after']).toBe('1');
  });

  it('comes before authentication, and nothing is done', async () => {
    const caller = await callerWith('POST /teams=500x1', 'GET /quotas=502');
    expect((await caller.send('POST', '/teams', { body: { name: 'a' } })).status).toBe(500);
    expect(at((await caller.send('GET', '/teams')).json, 'total')).toBe(0);
    expect((await caller.send('GET', '/quotas', { auth: 'none' })).status).toBe(502);
  });
});

describe('which requests a rule hits', () => {
  const statusOf = (faults: Faults, target = '/quotas') => {
    const { effect } = faults.next('GET', target) ?? {};
    return effect?.kind === 'status' ? effect.status : undefined;
  };

  it.each<[FaultRuleText, string, boolean]>([
    ['GET /quotas=500', '/quotas?a=1', true],
    ['get /quotas=500', '/quotas', true],
    ['POST /quotas=500', '/quotas', false],
    ['* /quotas=500', '/teams', false],
    ['GET /connections/*=500', '/connections/conn_a', true],
    ['GET /connections/*=500', '/connections', false],
    ['* *=500', '/teams', true],
    ['GET /*s=500', '/teams', true],
  ])('%s and GET %s: %j', (rule, target, isHit) => {
    expect(statusOf(new Faults([rule]), target)).toBe(isHit ? 500 : undefined);
  });

  it('is the first that hits, and a spent one no longer does; delays add up', () => {
    const faults = new Faults(['GET *=500x1', '* *=502x1', '* *=504']);
    expect([1, 2, 3].map(() => statusOf(faults))).toEqual([500, 502, 504]);
    const delayed = new Faults(['* *=delay:1s', 'POST *=delay:5s', '* *=delay:2s', '* *=drop']);
    expect(delayed.next('GET', '/')).toMatchObject({ delay: 3000, effect: { kind: 'drop' } });
  });

  it('delays by chance between two durations', () => {
    const faults = new Faults(['* *=delay:1s-3s']);
    const delays = Array.from({ length: 100 }, () => faults.next('GET', '/')?.delay ?? 0);
    expect(new Set(delays).size).toBeGreaterThan(50);
    expect(delays.filter((delay) => delay < 1000 || delay > 3000)).toEqual([]);
  });

  it('is decided by chance, the same chance for the same seed', () => {
    const run = (rule: FaultRuleText) => {
      const faults = new Faults([rule]);
      return Array.from({ length: 1000 }, () => statusOf(faults));
    };
    const one = run('* *=500%30@7');
    expect(run('* *=500%30@7')).toEqual(one);
    expect(run('* *=500%30@8')).not.toEqual(one);
    expect(Math.abs(one.filter((status) => status === 500).length - 300)).toBeLessThan(50);
    expect(new Set(run('* *=500%0'))).toEqual(new Set([undefined]));
  });
});

describe('effects on the connection', () => {
  it('drop cuts the connection before anything is done', async () => {
    const caller = await callerWith('POST *=drop');
    expect(await failureOf(caller.send('POST', '/teams', { body: { name: 'a' } }))).toBe(cut);
    expect(at((await caller.send('GET', '/teams')).json, 'total')).toBe(0);
  });

  it('reset cuts it by a TCP reset, over TLS, too', async () => {
    for (const http of [true, false]) {
      const server = await servers.start({ http, faults: ['POST *=reset'] });
      const caller = new Caller(server, { atFault: true });
      expect(await failureOf(caller.send('POST', '/teams', { body: { name: 'a' } }))).toBe(cut);
      expect(at((await caller.send('GET', '/teams')).json, 'total')).toBe(0);
    }
  });

  it('drop-answer does what was asked and cuts the connection in place of the answer', async () => {
    const caller = await callerWith('POST *=drop-answer');
    expect(await failureOf(caller.send('POST', '/teams', { body: { name: 'a' } }))).toBe(cut);
    expect(at((await caller.send('GET', '/teams')).json, 'total')).toBe(1);
  });

  it('truncate cuts the body off in the middle', async () => {
    const server = await servers.start({ faults: ['* *=truncatex1'] });
    const client = sockets.open(server).send(addressed(writeHead('GET /quotas', authorize(server)), server));
    await client.ended;
    const { text } = await new Caller(server).send('GET', '/quotas');
    const [head = '', half] = client.received.split('\r\n\r\n');
    // The whole is announced, and the first half of it comes.
    expect(head).toMatch(new RegExp(`^HTTP/1.1 200 .*\\r\\ncontent-length: ${text.length}(?:\\r|$)`, 'is'));
    expect(half).toBe(text.slice(0, Math.floor(text.length / 2)));
  });

  it('truncate leaves an answer without a body alone', async () => {
    const caller = await callerWith('DELETE *=truncate');
    const created = await caller.send('POST', '/teams', { body: { name: 'a' } });
    expect((await caller.send('DELETE', `/teams/${at(created.json, 'id')}`)).status).toBe(204);
  });
});

describe('rules that make no sense', () => {
  it.each([
    'nonsense',
    'GET quotas=500',
    'GET /quotas?x=1=503',
    'GET /quotas',
    'GET /quotas=200',
    'GET /quotas=999',
    'GET /quotas=500:5s',
    'GET /quotas=explode',
    '* *=delay',
    '* *=delay:5',
    '* *=delay:999999999h',
    '* *=drop:5s',
    '* *=503:1s-3s',
    '* *=delay:3s-1s',
    '* *=500%101',
    '* *=500x0',
  ])('%s', (rule) => {
    const hint = expect.stringContaining('METHOD /path=EFFECT');
    const refused = expect.objectContaining({
      details: { hint },
      message: expect.stringMatching(/not a fault rule/),
    });
    expect(() => new Faults(['* *=500', rule])).toThrow(refused);
  });
});

it('every fault is in the log and in the journal, with its rule', async () => {
  const log: (LogEntry & { readonly event: 'request' })[] = [];
  const onLog = (entry: LogEntry) => entry.event === 'request' && log.push(entry);
  const cutting = ['GET /teams=drop', 'GET /connections=truncate', 'GET /api-keys=drop-answer'] as const;
  const faults = ['GET /quotas=503x1', ...cutting] as const;
  const server = await servers.start({ faults, onLog });
  const caller = new Caller(server, { atFault: true });
  for (const target of ['/quotas', '/teams', '/connections', '/api-keys']) {
    await failureOf(caller.send('GET', target));
  }
  // A proxy repeats a GET whose connection, used before, is cut before a response.
  const isFirst = ({ target }: { target: string }, index: number, all: readonly { target: string }[]) =>
    target !== all[index - 1]?.target;
  expect((await server.control.journal.get()).filter(isFirst)).toMatchObject([
    { target: '/quotas', status: 503, keyId: server.keyId, fault: faults[0], refusal: { check: 'fault' } },
    { target: '/teams', status: null, fault: faults[1], refusal: { check: 'fault' } },
    { target: '/connections', status: 200, fault: faults[2], organization: server.organization },
    { target: '/api-keys', status: 200, fault: faults[3] },
  ]);
  expect(log.filter(isFirst)).toMatchObject(faults.map((fault) => ({ event: 'request', fault })));
});
