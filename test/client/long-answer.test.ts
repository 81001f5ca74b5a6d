import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { holdTimers } from '../support/hold-timers.js';
import { hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { openClient } from './support/open-client.js';

// In a file of its own: undici has one timer for all its timeouts, and it must be made while the test holds it.
it('is awaited as long as the timeout says: undici, which would stop after 5 minutes, has no say in it', async () => {
  const passTime = holdTimers();
  const asked: Socket[] = [];
  const peer = await hostilePeer((_request, socket) => void asked.push(socket));
  const { transport } = openClient(peer, { timeout: 3_600_000, deadline: 7_200_000 });
  const answered = transport.send({ method: 'GET', target: '/quotas' });
  await peer.received();
  passTime(3_000_000);
  for (const socket of asked) socket.write(httpAnswer(200, {}));
  expect(await answered).toMatchObject({ status: 200 });
});
