import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../src/errors/errors.js';
import { hostilePeer, scriptedPeer } from '../support/hostile-peer.js';
import { failureOf, get, openClient, post } from './support/open-client.js';

const interruption = () => new InterruptedError('SIGINT');
const interrupted = { code: 'interrupted', message: 'interrupted' };
const outcomeUnknown =
  'POST /teams was sent and may have been carried out; check now and a minute later: orgctl teams list --all';

describe('an interruption', () => {
  it.each([get, post])('while it connects ($method) sends nothing', async (request) => {
    const peer = await hostilePeer(() => undefined);
    const origin = peer.origin.replace('http:', 'https:');
    const { transport, interrupt } = openClient({ origin }, { retries: 3 });
    const failure = failureOf(transport.send(request));
    await peer.connected();
    interrupt.abort(interruption());
    expect(await failure).toEqual(interrupted);
    await transport.close();
    await peer.disconnected();
    expect(peer.requests).toEqual([]);
  });

  it.each([
    ['while an answer is awaited', ''],
    ['in the middle of the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{'],
  ])('%s ends the connection, and says that the outcome of POST is unknown', async (_when, sent) => {
    const followed = { ...get, signal: new AbortController().signal };
    for (const request of [get, post, followed]) {
      const peer = await scriptedPeer([sent]);
      const { transport, interrupt } = openClient(peer, { retries: 3 });
      const failure = failureOf(transport.send(request));
      await peer.received();
      await turn();
      interrupt.abort(new InterruptedError('SIGTERM'));
      const told = { hint: outcomeUnknown, next: ['orgctl', 'teams', 'list', '--all'] };
      expect(await failure).toMatchObject({ code: 'terminated', ...(request === post && told) });
      expect((await failure)['hint']).toBe(request === post ? outcomeUnknown : undefined);
      await peer.disconnected();
    }
  });
});

describe('closing', () => {
  it('ends what is under way: the outcome of POST is unknown', async () => {
    const peer = await hostilePeer(() => undefined);
    const { transport } = openClient(peer, { retries: 3 });
    const failure = failureOf(transport.send(post));
    await peer.received();
    await transport.close();
    expect(await failure).toMatchObject({ code: 'outcome_unknown' });
    await peer.disconnected();
  });
});
