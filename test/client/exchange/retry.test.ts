import { EventEmitter, once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { holdTimers } from '../../support/hold-timers.js';
import { hostilePeer, httpAnswer, type Peer, scriptedPeer, unusedPort } from '../../support/hostile-peer.js';
import { failureOf, noon, openClient } from '../support/open-client.js';

const body = Buffer.from('{"name":"a"}');
const requests = {
  GET: { method: 'GET', target: '/teams' },
  POST: { method: 'POST', target: '/teams', body, contentType: 'application/json' },
  PATCH: { method: 'PATCH', target: '/teams/team_1', body, contentType: 'application/json' },
  DELETE: { method: 'DELETE', target: '/teams/team_1' },
} as const;
const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

const ok = httpAnswer(200, {});
const limited = (headers: Record<string, string> = {}) =>
  httpAnswer(429, { statusCode: 429, message: 'Too Many Requests' }, headers);
const httpDate = (milliseconds: number) => new Date(milliseconds).toUTCString();

describe('429', () => {
  it.each(methods)('is repeated for %s, with the same bytes', async (method) => {
    const peer = await scriptedPeer([limited(), limited(), ok]);
    const { transport, waits, notes } = openClient(peer, { retries: 3 });
    expect((await transport.send(requests[method])).status).toBe(200);
    const sent = method === 'GET' || method === 'DELETE' ? '' : '{"name":"a"}';
    expect(peer.requests.map((request) => request.body.toString())).toEqual([sent, sent, sent]);
    expect(waits).toEqual([250, 500]);
    expect(notes).toEqual([
      'Too Many Requests; retrying in 0.3 s (1 of 3)',
      'Too Many Requests; retrying in 0.5 s (2 of 3)',
    ]);
  });

  it.each([0, 1, 5])('ends after %i further attempts', async (retries) => {
    const peer = await scriptedPeer([limited({ 'Retry-After': '0' })]);
    const failure = { code: 'rate_limited', status: 429, retryable: true, retryAfter: 0 };
    expect(await failureOf(openClient(peer, { retries }).transport.send(requests.POST))).toMatchObject(
      failure,
    );
    expect(peer.requests.length).toBe(1 + retries);
  });

  it.each<[string, number, string?]>([
    ['7', 7000],
    ['1.5', 2000],
    ['0.2', 1000],
    ['0.0', 0],
    [httpDate(90_000), 30_000, httpDate(60_000)],
    [httpDate(90_000), 0, httpDate(90_000)],
    [httpDate(noon + 4000), 4000],
    [httpDate(noon - 4000), 0],
    ...[
      '',
      '-5',
      '1.',
      '.5',
      '1,5',
      '1.5.0',
      '5s',
      '0x10',
      'soon',
      '2026-03-01T12:00:05Z',
      'Sun, 99 Foo 2026 12:00:05 GMT',
    ].map((none): [string, number] => [none, 250]),
  ])('with Retry-After: %s waits %d ms, if Date is %s', async (header, wait, date) => {
    const peer = await scriptedPeer([limited({ 'Retry-After': header, ...(date && { Date: date }) }), ok]);
    const { transport, waits } = openClient(peer, { retries: 3 });
    await transport.send(requests.PATCH);
    expect(waits).toEqual([wait]);
  });

  it.each([
    ['beyond the deadline', '61', 61, '1m 1s'],
    ['absurdly large', '9'.repeat(400), Number.MAX_SAFE_INTEGER, '104249991374d 7h'],
    ['a date beyond the deadline', httpDate(noon + 3_600_000), 3600, '1h'],
  ])('is an error at once when Retry-After is %s', async (_name, header, retryAfter, wait) => {
    const peer = await scriptedPeer([limited({ 'Retry-After': header })]);
    const { transport, waits } = openClient(peer, { retries: 3, deadline: 60_000 });
    expect(await failureOf(transport.send(requests.POST))).toMatchObject({
      code: 'rate_limited',
      retryAfter,
      hint: `the service asks you to wait ${wait}; the number of retries and the deadline set how long to keep trying`,
    });
    expect([peer.requests.length, waits.length]).toEqual([1, 0]);
  });
});

it('429 is an error at once for a wait that no timer can hold, whatever the deadline', async () => {
  const peer = await scriptedPeer([limited({ 'Retry-After': '2147484' })]);
  const { transport, waits } = openClient(peer, { retries: 3, deadline: Number.POSITIVE_INFINITY });
  const hint = expect.stringContaining('wait 24d 20h');
  expect(await failureOf(transport.send(requests.GET))).toMatchObject({ code: 'rate_limited', hint });
  expect(waits).toEqual([]);
});

it.each([
  ['0', 'now'],
  ['59', 'in 59.0 s'],
  ['90', 'in 1m 30s'],
  ['2147483', 'in 24d 20h'],
])('notes a wait of %s s as "%s"', async (header, when) => {
  const peer = await scriptedPeer([limited({ 'Retry-After': header }), ok]);
  const { transport, notes } = openClient(peer, { retries: 1, deadline: Number.POSITIVE_INFINITY });
  await transport.send(requests.GET);
  expect(notes).toEqual([`Too Many Requests; retrying ${when} (1 of 1)`]);
});

it('advises no wait of 0 s', async () => {
  const peer = await scriptedPeer([limited({ 'Retry-After': '0' })]);
  const { hint } = await failureOf(openClient(peer).transport.send(requests.GET));
  expect(hint).toMatch(/^wait before retrying; /);
});

describe('the wait where the service names none', () => {
  it.each([
    [0, [0, 0, 0]],
    [0.999, [499.5, 999, 1998]],
    [1, [500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]],
  ])('is random up to a bound that doubles from 500 ms to 20 s: %d', async (random, expected) => {
    const peer = await scriptedPeer([limited()]);
    const { transport, waits } = openClient(peer, { retries: expected.length, random: () => random });
    await failureOf(transport.send(requests.GET));
    expect(waits).toEqual(expected);
  });

  it('is made of real time when nobody says otherwise', async () => {
    const peer = await scriptedPeer([limited({ 'Retry-After': '50' })]);
    const waiting = new EventEmitter<{ note: [] }>();
    const noted = once(waiting, 'note');
    const { transport, interrupt } = openClient(peer, {
      retries: 5,
      wait: undefined,
      random: undefined,
      note: () => void waiting.emit('note'),
    });
    const failure = transport.send(requests.GET).catch((error: unknown) => error);
    await noted;
    // Many times as long as another attempt would take that is not waited for.
    const other = await scriptedPeer([ok]);
    for (let nth = 0; nth < 20; nth++) await openClient(other).transport.send(requests.GET);
    expect(peer.requests.length).toBe(1);
    const reason = new Error('interrupted');
    interrupt.abort(reason);
    expect(await failure).toBe(reason);
  });
});

it('500 is not repeated; the error says that a GET may succeed later', async () => {
  for (const [method, retryable] of [
    ['GET', true],
    ['POST', false],
  ] as const) {
    const peer = await scriptedPeer([httpAnswer(500)]);
    const sent = openClient(peer, { retries: 3 }).transport.send(requests[method]);
    expect(await failureOf(sent)).toMatchObject({ code: 'server', status: 500, retryable });
    expect(peer.requests.length).toBe(1);
  }
});

describe.each([502, 503, 504])('%i', (status) => {
  it('is repeated for GET, after as long as the service says', async () => {
    const answers = [httpAnswer(status, '<html>'), httpAnswer(status, '', { 'Retry-After': '9' }), ok];
    const peer = await scriptedPeer(answers);
    const { transport, waits } = openClient(peer, { retries: 3 });
    await transport.send(requests.GET);
    expect([peer.requests.length, waits]).toEqual([3, [250, 9000]]);
  });

  it.each(['POST', 'PATCH', 'DELETE'] as const)('is not for %s, and can be by nobody', async (method) => {
    const peer = await scriptedPeer([httpAnswer(status)]);
    const failure = { code: 'server', status, retryable: false };
    expect(await failureOf(openClient(peer, { retries: 3 }).transport.send(requests[method]))).toMatchObject(
      failure,
    );
    expect(peer.requests.length).toBe(1);
    const reading = openClient(peer).transport.send(requests.GET);
    expect(await failureOf(reading)).toMatchObject({ status, retryable: true });
  });
});

it.each([400, 401, 403, 404, 408, 425, 500, 501, 505, 507])('does not repeat after %i', async (status) => {
  const peer = await scriptedPeer([httpAnswer(status, '', { 'Retry-After': '1' }), ok]);
  const { transport } = openClient(peer, { retries: 3 });
  expect(await failureOf(transport.send(requests.GET))).toMatchObject({ status });
  expect(peer.requests.length).toBe(1);
});

it.each(['GET', 'POST'] as const)('repeats %s once a refused port is open', async (method) => {
  const port = await unusedPort();
  const origin = `http://127.0.0.1:${port}`;
  let peer: Peer | undefined;
  const wait = async () => {
    peer = await scriptedPeer([ok], { port });
  };
  const { transport, notes } = openClient({ origin }, { retries: 3, wait });
  expect((await transport.send(requests[method])).status).toBe(200);
  expect(peer?.requests.length).toBe(1);
  expect(notes).toEqual([`${origin}: the connection was refused; retrying in 0.3 s (1 of 3)`]);
});

it('gives up at once, where it is told to, on what no later attempt would mend, and on nothing else', async () => {
  const refused = `http://127.0.0.1:${await unusedPort()}`;
  const limiting = (await scriptedPeer([limited()])).origin;
  for (const [origin, failsFast, waited] of [
    ['https://nothing.invalid', true, 0] as const,
    [refused, true, 2] as const,
    [limiting, true, 2] as const,
    ['https://nothing.invalid', false, 2] as const,
  ]) {
    const { transport, waits } = openClient({ origin }, { retries: 2, failsFast });
    await failureOf(transport.send(requests.GET));
    expect(waits).toEqual([250, 500].slice(0, waited));
  }
});

it('does not wait where the wait would end after the deadline', async () => {
  const origin = `http://127.0.0.1:${await unusedPort()}`;
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const [deadline, expected] of [[500, []] as const, [501, [500]] as const]) {
    const { transport, waits } = openClient({ origin }, { retries: 1, deadline, random: () => 1 });
    expect(await failureOf(transport.send(requests.GET))).toMatchObject({ code: 'network' });
    expect(waits).toEqual(expected);
  }
});

it('gives an attempt after a wait what is left of the deadline', async () => {
  const peer = await hostilePeer((_request, _socket, nth) =>
    nth === 0 ? limited({ 'Retry-After': '0' }) : undefined,
  );
  const passTime = holdTimers();
  const { transport } = openClient(peer, { retries: 3, timeout: 60_000, deadline: 60_000 });
  const failure = failureOf(transport.send(requests.GET));
  await peer.received(2);
  passTime(60_000);
  expect(await failure).toMatchObject({ code: 'network', hint: 'raise the deadline, for example to 2m' });
});

it('notes a hostile message on one line', async () => {
  const peer = await scriptedPeer([httpAnswer(429, { message: 'no\nerror: faked\r\n' })]);
  const { transport, notes } = openClient(peer, { retries: 1 });
  await failureOf(transport.send(requests.GET));
  expect(notes).toEqual(['no error: faked ; retrying in 0.3 s (1 of 1)']);
});
