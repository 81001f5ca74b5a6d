import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, get as plainGet } from 'node:http';
import { get as secureGet } from 'node:https';
import { describe, expect, it } from 'vitest';
import { OrgctlError, UsageError } from '../../src/errors/errors.js';
import type { FaultRuleText, LogEntry, RunningServer } from '../../src/server/index.js';
import { basicAuthorization } from '../../src/signing/index.js';
import { type Answer, at, Caller } from './support/caller.js';
import { useServers } from './support/start.js';
import { through } from './support/through-proxy.js';

const servers = useServers();

async function callerWith(...faults: FaultRuleText[]): Promise<Caller> {
  return new Caller(await servers.start({ faults }), { atFault: true });
}

async function statuses(caller: Caller, count: number, target = '/quotas'): Promise<number[]> {
  const all = [];
  for (let sent = 0; sent < count; sent += 1) all.push((await caller.send('GET', target)).status);
  return all;
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

/** What comes of an answer that is cut off. */
async function receivedOf(server: RunningServer, target: string) {
  const { caFile, keyId, secret, url } = server;
  const get = url.startsWith('https:') ? secureGet : plainGet;
  const ca = caFile === undefined ? undefined : await readFile(caFile);
  const headers = { authorization: basicAuthorization({ keyId, secret }) };
  const [response]: IncomingMessage[] = await once(
    get(new URL(target, url), { headers, agent: false, ca }),
    'response',
  );
  if (response === undefined) throw new Error('there is no answer');
  let text = '';
  response.setEncoding('utf8').on('data', (chunk) => {
    text += String(chunk);
  });
  const failure = await once(response, 'end').then(
    () => 'none',
    (error: unknown) => at(error, 'code'),
  );
  return { status: response.statusCode, announced: response.headers['content-length'], text, failure };
}

describe('a status', () => {
  it('is answered as often as it says, with the body of every error and Retry-After', async () => {
    const caller = await callerWith('GET /quotas=503x2');
    const first = await caller.send('GET', '/quotas');
    expect(first.status).toBe(503);
    expect(first.json).toEqual({ statusCode: 503, message: 'Service Unavailable' });
    expect(first.headers['retry-after']).toBe('1');
    expect(await statuses(caller, 3)).toEqual([503, 200, 200]);
  });

  it('asks a client to wait as long as the rule says', async () => {
    const { headers, json } = await (await callerWith('* *=429:90s')).send('GET', '/quotas');
    expect(headers['retry-after']).toBe('90');
    expect(json).toEqual({ statusCode: 429, message: 'Too Many Requests' });
    const without = await (await callerWith('* *=500')).send('GET', '/quotas');
    expect(without.headers).not.toHaveProperty('retry-after');
  });

  it('comes before authentication, and nothing is done', async () => {
    const caller = await callerWith('POST /teams=500x1');
    expect((await caller.send('POST', '/teams', { body: { name: 'a' } })).status).toBe(500);
    expect(at((await caller.send('GET', '/teams')).json, 'total')).toBe(0);
    const open = await callerWith('* *=502');
    expect((await open.send('GET', '/quotas', { auth: 'none' })).status).toBe(502);
  });
});

describe('which requests a rule hits', () => {
  it.each<[FaultRuleText, string, number]>([
    ['GET /quotas=500', '/quotas?a=1', 500],
    ['get /quotas=500', '/quotas', 500],
    ['POST /quotas=500', '/quotas', 200],
    ['* /quotas=500', '/teams', 200],
    ['GET /connections/*=500', '/connections/conn_a', 500],
    ['GET /connections/*=500', '/connections', 200],
    ['* *=500', '/teams', 500],
    ['GET /*s=500', '/teams', 500],
  ])('%s and GET %s: %i', async (rule, target, status) => {
    expect((await (await callerWith(rule)).send('GET', target)).status).toBe(status);
  });

  it('is the first that hits, and a spent one no longer does', async () => {
    expect(await statuses(await callerWith('GET *=500x1', '* *=502x1', '* *=504'), 3)).toEqual([
      500, 502, 504,
    ]);
  });

  it('is decided by chance, the same chance for the same seed', async () => {
    const run = async (rule: FaultRuleText) => statuses(await callerWith(rule), 60);
    const one = await run('* *=500%30@7');
    expect(await run('* *=500%30@7')).toEqual(one);
    expect(await run('* *=500%30@8')).not.toEqual(one);
    const share = one.filter((status) => status === 500).length;
    expect(share).toBeGreaterThan(6);
    expect(share).toBeLessThan(32);
    expect(new Set(await run('* *=500%0'))).toEqual(new Set([200]));
  });
});

describe('effects on the connection', () => {
  it('drop cuts the connection before anything is done', async () => {
    const caller = await callerWith('POST *=drop');
    expect(await failureOf(caller.send('POST', '/teams', { body: { name: 'a' } }))).toBe(cut);
    expect(at((await caller.send('GET', '/teams')).json, 'total')).toBe(0);
  });

  it('drop-answer does what was asked and cuts the connection in place of the answer', async () => {
    const caller = await callerWith('POST *=drop-answer');
    expect(await failureOf(caller.send('POST', '/teams', { body: { name: 'a' } }))).toBe(cut);
    expect(at((await caller.send('GET', '/teams')).json, 'total')).toBe(1);
  });

  it.each([true, false])('truncate cuts the body off in the middle (plain HTTP: %j)', async (http) => {
    const server = await servers.start({ http, faults: ['* *=truncatex1'] });
    const half = await receivedOf(server, '/quotas');
    const { status, text } = await new Caller(server, { atFault: true }).send('GET', '/quotas');
    expect([status, half.status]).toEqual([200, 200]);
    // The whole is announced, and the first half of it comes.
    expect(half).toMatchObject({ announced: String(text.length), failure: 'ECONNRESET' });
    expect(half.text).toBe(text.slice(0, Math.floor(text.length / 2)));
  });

  it('truncate leaves an answer without a body alone', async () => {
    const caller = await callerWith('DELETE *=truncate');
    const created = await caller.send('POST', '/teams', { body: { name: 'a' } });
    expect((await caller.send('DELETE', `/teams/${at(created.json, 'id')}`)).status).toBe(204);
  });

  it('a server that closes waits for no delay', async () => {
    const server = await servers.start({ faults: ['* *=delay:1h'] });
    const answer = failureOf(new Caller(server, { atFault: true }).send('GET', '/quotas'));
    // Its connection is there once another one, opened later, was answered.
    await expect.poll(async () => (await server.control.faults.get()).map(({ hits }) => hits)).toEqual([1]);
    await server.close();
    expect(await answer).toBe(cut);
  }, 10_000);
});

describe('rules that make no sense', () => {
  it.each([
    ['nonsense', /not a fault rule/],
    ['GET quotas=500', /the path must begin with \/: 'GET \/quotas=500'/],
    ['GET /quotas', /not a fault rule/],
    ['GET /quotas=200', /400 to 599/],
    ['GET /quotas=999', /400 to 599/],
    ['GET /quotas=500:5s', /429 and 503/],
    ['GET /quotas=explode', /unknown effect explode/],
    ['* *=delay', /no duration/],
    ['* *=delay:5', /not a fault rule/],
    ['* *=delay:999999999h', /"999999999h" is longer than 24 days/],
    ['* *=drop:5s', /takes no duration/],
    ['* *=500%101', /100 percent/],
    ['* *=500x0', /not a fault rule/],
  ])('%s', async (rule, message) => {
    const started: Promise<unknown> = Reflect.apply(servers.start, servers, [{ faults: ['* *=500', rule] }]);
    await expect(started).rejects.toThrow(UsageError);
    await expect(started).rejects.toThrow(message);
    const error = await started.catch((thrown: unknown) => thrown);
    expect(error instanceof OrgctlError && error.details.hint).toContain('METHOD /path=EFFECT');
  });
});

it('every fault is in the log and in the journal, with its rule', async () => {
  const log: (LogEntry & { readonly event: 'request' })[] = [];
  const faults = [
    'GET /quotas=503x1',
    'GET /teams=drop',
    'GET /connections=truncate',
    'GET /api-keys=drop-answer',
  ] as const;
  const server = await servers.start({
    faults,
    onLog: (entry) => entry.event === 'request' && log.push(entry),
  });
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
