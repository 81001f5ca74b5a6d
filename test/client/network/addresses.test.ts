import dns from 'node:dns/promises';
import { EventEmitter, once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import net, { Socket, type TcpNetConnectOpts } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { holdTimers } from '../../support/hold-timers.js';
import { httpAnswer, scriptedPeer } from '../../support/hostile-peer.js';
import { get, openClient } from '../support/open-client.js';

const silent = () => undefined;

/** A service on localhost, with its name at these addresses, and what becomes of a connection to each. */
async function serviceAt(fates: Readonly<Record<string, (socket: Socket) => void>>) {
  const peer = await scriptedPeer([httpAnswer(200, {})]);
  const { connect } = net;
  const { lookup } = dns;
  onTestFinished(() => {
    Object.assign(net, { connect });
    Object.assign(dns, { lookup });
    syncBuiltinESMExports();
  });
  Object.assign(dns, { lookup: async () => Object.keys(fates).map((address) => ({ address, family: 4 })) });
  Object.assign(net, {
    connect(options: TcpNetConnectOpts) {
      if (options.host === '127.0.0.1') return connect(options);
      const socket = new Socket();
      fates[options.host ?? '']?.(socket);
      return socket;
    },
  });
  syncBuiltinESMExports();
  return { peer, client: openClient({ origin: `http://localhost:${peer.port}` }) };
}

it('reaches a name whose first address is silent', async () => {
  const asked = new EventEmitter<{ first: [] }>();
  const first = () => void asked.emit('first');
  const { client } = await serviceAt({ '192.0.2.1': first, '127.0.0.1': silent });
  const passTime = holdTimers();
  const isAsked = once(asked, 'first');
  const answered = client.transport.send(get);
  await isAsked;
  passTime(250);
  expect(await answered).toMatchObject({ status: 200 });
});
