import { type buildConnector, type Dispatcher, Pool } from 'undici';
import { ConfigError } from '../../errors/errors.js';
import { isLoopback, toEndpoint } from '../../text/base-url.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment's proxy for `https:` requests. */
export interface ProxySettings {
  /** May contain a user name and password: keep it out of messages. */
  readonly uri: string;
  readonly name: string;
  readonly variable: string;
}

/** Prefers `https_proxy` to `HTTPS_PROXY`, as curl does. @throws ConfigError for an invalid proxy address */
export function findProxy(url: URL, env: Environment): ProxySettings | undefined {
  const variable = findVariable(env);
  if (variable === undefined || explainNoProxy(url, env) !== undefined) return undefined;
  return parseProxy(variable, env[variable] ?? '');
}

export function explainNoProxy(url: URL, env: Environment): string | undefined {
  if (findVariable(env) === undefined) return 'HTTPS_PROXY is not set';
  if (isLoopback(url.hostname)) return 'no proxy is used to reach this machine';
  const noProxy = env['no_proxy'] || env['NO_PROXY'] || '';
  const { host, port } = toEndpoint(url);
  return bypassesProxy(noProxy, url.hostname, port) ? `NO_PROXY covers ${host}` : undefined;
}

function findVariable(env: Environment): string | undefined {
  return ['https_proxy', 'HTTPS_PROXY'].find((name) => env[name]);
}

/**
 * Reads `NO_PROXY` as undici's EnvHttpProxyAgent does: names are separated by commas or spaces, include subdomains, and
 * may have a leading `.` or `*.` and a port; `*` alone matches every host.
 * @param host in lower case; an IPv6 address is in brackets
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

function parseProxy(variable: string, value: string): ProxySettings {
  const uri = value.includes('://') ? value : `http://${value}`;
  if (!isHttpAddress(uri)) {
    throw new ConfigError(`${variable} is not the address of an HTTP proxy`, {
      hint: `${variable}=http://HOST:PORT, or http://USER:PASSWORD@HOST:PORT with user and password percent-encoded`,
    });
  }
  return { uri: withoutPath(uri), name: new URL(uri).origin, variable };
}

// A proxy address needs no path: curl ignores a path, but undici refuses to connect if there is one.
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

export class ProxyError extends Error {
  readonly proxy: string;
  readonly variable: string;
  readonly status: number | undefined;

  constructor({ name, variable }: ProxySettings, status: number | undefined, cause?: unknown) {
    super('the proxy did not connect to the service', { cause });
    this.proxy = name;
    this.variable = variable;
    this.status = status;
  }
}

/** Turns failures into `ProxyError`; otherwise, undici would keep reopening a connection that the proxy closes. */
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

// undici passes the proxy's host as the server name, which must not be an IP address (RFC 6066, section 3).
function withoutServerName(connect: buildConnector.connector): buildConnector.connector {
  return ({ servername: _servername, ...options }, callback) => connect(options, callback);
}
