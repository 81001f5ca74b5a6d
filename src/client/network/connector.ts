import { type buildConnector, Dispatcher, type Pool } from 'undici';
import { type DispatcherOptions, openDispatcher } from './dispatcher.js';
import { makeSmallReads } from './small-reads.js';

export interface ServiceConnector {
  readonly connect: buildConnector.connector;
  close(): Promise<void>;
}

/** For requests that undici cannot send, such as with `Expect` or trailers. @throws like `openDispatcher` */
export function openConnector(options: DispatcherOptions): ServiceConnector {
  let connect: buildConnector.connector | undefined;
  const dispatcher = openDispatcher({
    ...options,
    reads: makeSmallReads(),
    factory(_origin, chosen: Pool.Options) {
      if (typeof chosen.connect === 'function') connect = chosen.connect;
      return new NoDispatcher();
    },
  });
  // undici chooses between a direct connection and the proxy only when a request is dispatched.
  dispatcher.dispatch({ origin: options.origin, path: '/', method: 'GET' }, {});
  if (connect === undefined) throw new TypeError('undici chose no connector');
  return { connect, close: () => dispatcher.destroy() };
}

class NoDispatcher extends Dispatcher {
  override dispatch(): boolean {
    return true;
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }

  override destroy(): Promise<void> {
    return Promise.resolve();
  }
}
