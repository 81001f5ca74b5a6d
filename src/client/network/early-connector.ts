import { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { buildConnector } from 'undici';

/**
 * Connects to the service directly. The first connection is on its way while the TLS context is made: parsing Node's own
 * roots takes this thread as long as a packet takes across a continent and back.
 *
 * @param options of every connection, beside the context
 * @param makeContext called once, after the first connection was asked for
 */
export function earlyConnector(
  options: buildConnector.BuildOptions,
  makeContext: () => SecureContext,
): buildConnector.connector {
  const overTcp = buildConnector(options);
  let overTls: buildConnector.connector | undefined;
  const prepare = () => {
    overTls ??= buildConnector({ ...options, secureContext: makeContext() });
    return overTls;
  };
  const prepareEarly = () => {
    try {
      prepare();
    } catch {
      // Nobody asked for it yet: the connection does, and is told.
    }
  };
  return (target, callback) => {
    if (target.protocol !== 'https:') return overTcp(target, callback);
    // undici knows the port of a URL that names none by the protocol alone.
    const plain = { ...target, protocol: 'http:', port: target.port || '443' };
    const socket: unknown = overTcp(plain, (...[error, httpSocket]) => {
      if (error !== null) return callback(error, null);
      try {
        prepare()({ ...target, httpSocket }, callback);
      } catch (cause) {
        httpSocket.destroy();
        callback(cause instanceof Error ? cause : new Error('no TLS context', { cause }), null);
      }
    });
    // Once the first packet is out; a name is looked up before.
    if (socket instanceof Socket) socket.once('connectionAttempt', () => setImmediate(prepareEarly));
  };
}
