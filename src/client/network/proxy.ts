import { type buildConnector, type Dispatcher, Pool } from 'undici';
import { ConfigError } from '../../errors/errors.js';

/** The proxy that the environment names for `https:` requests. */
export interface ProxySettings {
  /** With user and password, if any: keep it out of messages. */
  readonly uri: string;
  /** Scheme, host and port alone. */
  readonly name: string;
  /** The variable that names it. */
  readonly variable: string;
  /** Hosts that bypass it, in the form of `NO_PROXY`. */
  readonly noProxy: string;
}

/**
 * Reads `HTTPS_PROXY` and `NO_PROXY`, lower case first as curl does; `undefined` when there is no proxy. A value
 * without a scheme means `http://`. `HTTP_PROXY` is ignored: plain `http:` is for loopback hosts, which never use a
 * proxy.
 *
 * @throws ConfigError naming the variable when it is not the address of an HTTP proxy
 */
export function proxySettings(env: Readonly<Record<string, string | undefined>>): ProxySettings | undefined {
  const [named] = ['https_proxy', 'HTTPS_PROXY'].flatMap((variable) => {
    const value = env[variable];
    return value ? [{ variable, value }] : [];
  });
  if (named === undefined) return undefined;
  const { variable, value } = named;
  const uri = value.includes('://') ? value : `http://${value}`;
  if (!isHttpAddress(uri)) {
    // Not the value itself: it may hold a password.
    throw new ConfigError(`${variable} is not the address of an HTTP proxy`, {
      hint: `${variable}=http://HOST:PORT, or http://USER:PASSWORD@HOST:PORT with both percent-encoded`,
    });
  }
  return {
    uri: withoutPath(uri),
    name: new URL(uri).origin,
    variable,
    noProxy: env['no_proxy'] || env['NO_PROXY'] || '',
  };
}

// A path and what follows it mean nothing here, and curl passes them over; undici refuses to connect.
function withoutPath(uri: string): string {
  return new URL('/', uri).href;
}

function isHttpAddress(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, username, password } = new URL(uri);
  return (
    ['http:', 'https:'].includes(protocol) &&
    [username, password].every((part) => !/%(?![0-9a-f]{2})/i.test(part))
  );
}

/** The proxy did not connect to the service. */
export class ProxyError extends Error {
  readonly proxy: string;
  readonly variable: string;
  /** The status of its answer to CONNECT, if it gave one. */
  readonly status: number | undefined;

  constructor({ name, variable }: ProxySettings, status: number | undefined, cause?: unknown) {
    super('no way through the proxy', { cause });
    this.proxy = name;
    this.variable = variable;
    this.status = status;
  }
}

/**
 * The connections to a proxy. Failures become a `ProxyError`, so that messages can name the proxy; undici itself would
 * reopen a connection that the proxy closes, at once and for ever.
 */
export class ProxyPool extends Pool {
  readonly #settings: ProxySettings;

  constructor(settings: ProxySettings, origin: URL, options: Pool.Options) {
    const { connect } = options;
    super(
      origin,
      typeof connect === 'function' ? { ...options, connect: withoutServerName(connect) } : options,
    );
    this.#settings = settings;
  }

  override async connect(options: Parameters<Pool['connect']>[0]): Promise<Dispatcher.ConnectData> {
    const tunnel = await super.connect(options).catch((error: unknown) => {
      throw new ProxyError(this.#settings, undefined, error);
    });
    if (tunnel.statusCode === 200) return tunnel;
    tunnel.socket.on('error', () => undefined).destroy();
    throw new ProxyError(this.#settings, tunnel.statusCode);
  }
}

// undici passes the proxy's host as it is; a TLS server name is never an address (RFC 6066, section 3), and Node warns
// about one. Without any, its connector finds the name by itself.
function withoutServerName(connect: buildConnector.connector): buildConnector.connector {
  return ({ servername: _servername, ...options }, callback) => connect(options, callback);
}
