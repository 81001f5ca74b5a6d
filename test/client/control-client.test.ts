import { describe, expect, it, onTestFinished } from 'vitest';
import { ControlClient } from '../../src/client/control-client.js';
import { openSender } from '../../src/client/network/direct-sender.js';
import { headerOf, hostilePeer, httpAnswer, type Peer, scriptedPeer } from '../support/hostile-peer.js';
import { failureOf } from './support/open-client.js';

function openControl({ origin }: Pick<Peer, 'origin'>) {
  const abort = new AbortController();
  const control = new ControlClient({
    address: new URL(`${origin}/base/_control`),
    token: 'token_1',
    sender: openSender({ origin, env: {} }),
    timeout: 30_000,
    signal: abort.signal,
  });
  onTestFinished(() => control.close());
  return { control, abort };
}

describe('a call', () => {
  it.each<[string, string | undefined, (control: ControlClient) => Promise<unknown>]>([
    ['GET /status', undefined, (control) => control.call('status.get')],
    ['POST /reset', undefined, (control) => control.call('data.reset')],
    ['POST /restore', '{"snapshot":"s"}', (control) => control.call('data.restore', { snapshot: 's' })],
    ['PUT /clock', '{"time":"t"}', (control) => control.call('clock.set', { time: 't' })],
    ['DELETE /faults', undefined, (control) => control.call('faults.clear')],
    ['GET /keys', undefined, (control) => control.call('keys.list')],
    [
      'GET /keys?organization=a+b',
      undefined,
      (control) => control.call('keys.list', { organization: 'a b' }),
    ],
    ['POST /keys/a%2Fb/disable', undefined, (control) => control.call('keys.disable', { id: 'a/b' })],
    ['DELETE /keys/a%2Fb', undefined, (control) => control.call('keys.revoke', { id: 'a/b' })],
    [
      'GET /journal?limit=1',
      undefined,
      (control) => control.call('journal.list', { method: undefined, limit: '1' }),
    ],
  ])('goes below the address, with the token: %s %s', async (line, body, call) => {
    const peer = await scriptedPeer([httpAnswer(200, {})]);
    // Not all of them take this answer.
    await call(openControl(peer).control).catch((error: unknown) => error);
    const [request] = peer.requests;
    if (request === undefined) throw new Error('nothing was received');
    expect(`${request.method} ${request.target}`).toBe(line.replace(' ', ' /base/_control'));
    expect(request.body.toString()).toBe(body ?? '');
    const headers = ['authorization', 'accept', 'content-type'].map((name) => headerOf(request, name));
    expect(headers).toEqual(['Bearer token_1', 'application/json', body && 'application/json']);
  });

  it.each([
    [httpAnswer(302, '', { Location: '/x' }), 'server', /redirect/],
    [httpAnswer(300), 'server', /^GET \/base\/_control\/status returned 300$/],
    [httpAnswer(404, { message: 'no' }), 'not_found', /^no$/, undefined],
    [httpAnswer(400, { message: 'no' }), 'rejected', /^no$/],
    [httpAnswer(299, ''), 'server', /a body that is empty/],
  ])('that is answered otherwise is an error: %#', async (answer, code, message, ...hint) => {
    const { control } = openControl(await scriptedPeer([answer]));
    const failure = { code, message: expect.stringMatching(message) };
    const thrown = await failureOf(control.call('status.get'));
    expect(thrown).toMatchObject(failure);
    for (const expected of hint) expect(thrown).toHaveProperty('hint', expected);
  });

  it('without an answer leaves the outcome of a change unknown, and says how to look', async () => {
    const peer = await hostilePeer((_request, socket) => socket.destroy());
    const { control } = openControl(peer);
    expect(await failureOf(control.call('data.reset'))).toMatchObject({
      code: 'outcome_unknown',
      message: expect.stringContaining('POST /base/_control/reset was sent, but no response came'),
      hint: 'check before you repeat it: orgctl local status',
      next: ['orgctl', 'local', 'status'],
    });
    const failure = { code: 'network', path: '/base/_control/status' };
    expect(await failureOf(control.call('status.get'))).toMatchObject(failure);
  });
});
