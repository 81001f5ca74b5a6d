import { setMaxListeners } from 'node:events';
import type { SecureContext } from 'node:tls';
import { type Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { findProxy, ProxyPool, type ProxySettings } from './proxy.js';
import type { SmallReads } from './small-reads.js';
import { readTrust, verifiedTls } from './trusted-roots.js';

/** Maximum bytes of a response's headers. */
export const maxHeaderSize = 64 * 1024;

export interface DispatcherOptions {
  readonly origin: string;
  /** PEM bundle to trust in addition to Node's roots, or `system`. */
  readonly caFile?: string | undefined;
  readonly connectTimeout?: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly factory?: Agent.Options['factory'];
  /** How sockets read; default: Node's default. */
  readonly reads?: SmallReads | undefined;
}

/** Always verifies TLS; uses no proxy for loopback. @throws ConfigError for an unusable CA file or proxy address */
export function openDispatcher(options: DispatcherOptions): Dispatcher {
  const { origin, caFile, connectTimeout = 30_000, env, factory, reads } = options;
  const closing = new AbortController();
  // Every socket listens to this signal, and bulk work opens many.
  setMaxListeners(0, closing.signal);
  const socket = { ...verifiedTls, ...reads, signal: closing.signal, timeout: connectTimeout };
  const makeContext = readTrust(caFile, env);
  const proxy = findProxy(new URL(origin), env);
  return new ServiceAgent(closing, {
    connect: directConnector(socket, makeContext),
    maxHeaderSize,
    // Empty, because undici replaces absent values with this process's environment.
    httpProxy: '',
    noProxy: '',
    httpsProxy: proxy?.uri ?? '',
    ...(factory && { factory }),
    ...(proxy && dispatchThroughProxy(proxy, { ...socket, secureContext: makeContext() })),
  });
}

/** Creates a TLS context only for `https:`, because parsing Node's roots is slow. */
function directConnector(
  options: buildConnector.BuildOptions,
  makeContext: () => SecureContext,
): buildConnector.connector {
  const overTcp = buildConnector(options);
  let overTls: buildConnector.connector | undefined;
  return (target, callback) => {
    if (target.protocol !== 'https:') return overTcp(target, callback);
    try {
      overTls ??= buildConnector({ ...options, secureContext: makeContext() });
    } catch (cause) {
      return callback(cause instanceof Error ? cause : new Error('no TLS context', { cause }), null);
    }
    return overTls(target, callback);
  };
}

function dispatchThroughProxy(proxy: ProxySettings, connect: buildConnector.BuildOptions) {
  return {
    requestTls: connect,
    proxyTls: connect,
    clientFactory: (address: URL, pool: object) => new ProxyPool(proxy, address, pool),
  };
}

/** Closes every socket when destroyed; undici would leave connecting sockets open. */
class ServiceAgent extends EnvHttpProxyAgent {
  readonly #closing: AbortController;

  constructor(closing: AbortController, options: EnvHttpProxyAgent.Options) {
    super(options);
    this.#closing = closing;
  }

  override destroy(error: Error | null | (() => void) = null, callback?: () => void): Promise<void> {
    const reason = typeof error === 'function' ? null : error;
    const done = typeof error === 'function' ? error : callback;
    return new Promise((resolve) => {
      super.destroy(reason, () => {
        this.#closing.abort();
        done?.();
        resolve();
      });
    });
  }
}
