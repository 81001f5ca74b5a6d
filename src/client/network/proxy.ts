import { type buildConnector, type Dispatcher, Pool } from 'undici';
import { ConfigError } from '../../errors/errors.js';
import { isLoopback } from '../../text/loopback.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy that the environment names for `https:` requests. */
export interface ProxySettings {
  /** With user and password, if any: keep it out of messages. */
  readonly uri: string;
  /** Scheme, host and port alone. */
  readonly name: string;
  /** The variable that names it. */
  readonly variable: string;
}

/**
 * The proxy for a service, by `HTTPS_PROXY` and `NO_PROXY`, lower case first as curl does; `undefined` when none is used.
 * `HTTP_PROXY` is ignored: plain `http:` is for loopback hosts.
 *
 * @throws ConfigError naming the variable when it is not the address of an HTTP proxy
 */
export function findProxy(url: URL, env: Environment): ProxySettings | undefined {
  const variable = findVariable(env);
  if (variable === undefined || explainNoProxy(url, env) !== undefined) return undefined;
  return parseProxy(variable, env[variable] ?? '');
}

/** Why no proxy is used for a service; `undefined` when one is. */
export function explainNoProxy({ protocol, hostname, port }: URL, env: Environment): string | undefined {
  if (findVariable(env) === undefined) return 'HTTPS_PROXY is not set';
  if (isLoopback(hostname)) return 'no proxy is used to reach this machine';
  const noProxy = env['no_proxy'] || env['NO_PROXY'] || '';
  const isNamed = bypassesProxy(noProxy, hostname, Number(port) || (protocol === 'https:' ? 443 : 80));
  return isNamed ? `NO_PROXY names ${hostname.replace(/^\[(.*)\]$/, '$1')}` : undefined;
}

function findVariable(env: Environment): string | undefined {
  return ['https_proxy', 'HTTPS_PROXY'].find((name) => env[name]);
}

/**
 * Whether `NO_PROXY` names a host, by the rules of undici's EnvHttpProxyAgent: names separated by commas or spaces, each
 * for its subdomains too, with or without a leading `.` or `*.` and a port; `*` alone is for all.
 *
 * @param host in lower case, an IPv6 address in brackets
 */
function bypassesProxy(noProxy: string, host: string, port: number): boolean {
  if (noProxy === '*') return true;
  return noProxy
    .split(/[,\s]/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, name = entry, ownPort] = /^(.+):(\d+)$/.exec(entry) ?? [];
      const bare = name.replace(/^\*?\./, '').toLowerCase();
      const isPort = !Number(ownPort) || Number(ownPort) === port;
      return isPort && (host === bare || host.endsWith(`.${bare}`));
    });
}

/** A value without a scheme means `http://`. */
function parseProxy(variable: string, value: string): ProxySettings {
  const uri = value.includes('://') ? value : `http://${value}`;
  if (!isHttpAddress(uri)) {
    // Not the value itself: it may hold a password.
    throw new ConfigError(`${variable} is not the address of an HTTP proxy`, {
      hint: `${variable}=http://HOST:PORT, or http://USER:PASSWORD@HOST:PORT with both percent-encoded`,
    });
  }
  return { uri: withoutPath(uri), name: new URL(uri).origin, variable };
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
