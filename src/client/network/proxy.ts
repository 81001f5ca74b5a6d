import { once } from 'node:events';
import { IncomingMessage, request as openRequest } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { ConfigError } from '../../errors/errors.js';
import { type Endpoint, isLoopback, toEndpoint } from '../../text/base-url.js';

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
  const value = env[variable] ?? '';
  const uri = value.includes('://') ? value : `http://${value}`;
  if (!isHttpAddress(uri)) {
    throw new ConfigError(`${variable} is not the address of an HTTP proxy`, {
      hint: `${variable}=http://HOST:PORT, or http://USER:PASSWORD@HOST:PORT with user and password percent-encoded`,
    });
  }
  return { uri, name: new URL(uri).origin, variable };
}

/** Why no proxy is used; `undefined` if one is. */
export function explainNoProxy(url: URL, env: Environment): string | undefined {
  if (findVariable(env) === undefined) return 'HTTPS_PROXY is not set';
  if (isLoopback(url.hostname)) return 'no proxy is used to reach this machine';
  const { host, port } = toEndpoint(url);
  const names = [url.hostname, host, `${url.hostname}:${port}`];
  const entries = (env['no_proxy'] || env['NO_PROXY'] || '').split(/[,\s]+/).filter((entry) => entry !== '');
  const entry = entries.find(
    (each) => each === '*' || includes(each, host) || names.some((name) => covers(each, name)),
  );
  return entry && `NO_PROXY covers ${host}${entry === host ? '' : ` (${entry})`}`;
}

function findVariable(env: Environment): string | undefined {
  return ['https_proxy', 'HTTPS_PROXY'].find((name) => env[name]);
}

/** Whether an entry of `NO_PROXY` is the name, or a suffix of it, with or without a leading `.` or `*.`. */
function covers(entry: string, name: string): boolean {
  const suffix = entry.replace(/^\*?\./, '').toLowerCase();
  return name === suffix || (/[a-z]/.test(name) && name.endsWith(`.${suffix}`));
}

/** Whether an entry is a range with this address, such as `10.0.0.0/8`. */
function includes(entry: string, host: string): boolean {
  const [network = '', length = ''] = entry.split('/');
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  const isRange = /^\d{1,3}$/.test(length) && Number(length) <= (family === 'ipv6' ? 128 : 32);
  if (!isRange || isIP(network) === 0 || isIP(host) !== isIP(network)) return false;
  const range = new BlockList();
  range.addSubnet(network, Number(length), family);
  return range.check(host, family);
}

function isHttpAddress(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, username, password } = new URL(uri);
  return /^https?:$/.test(protocol) && !/%(?![0-9a-f]{2})/i.test(username + password);
}

export class ProxyError extends Error {
  /** The proxy's address without its password, and the variable that sets it. */
  readonly proxy: string;
  readonly variable: string;
  readonly status: number | undefined;

  constructor({ name, variable }: ProxySettings, status: number | undefined, cause?: unknown) {
    super('the proxy did not connect to the service', { cause });
    this.proxy = `${name} (${variable})`;
    this.variable = variable;
    this.status = status;
  }
}

/**
 * Asks a proxy for a tunnel (RFC 9110, section 9.3.6).
 * @param toProxy opens the connection to the proxy
 * @throws ProxyError if the proxy opens none; the reason of an abort
 */
export async function openTunnel(
  proxy: ProxySettings,
  { host, port }: Endpoint,
  toProxy: () => Promise<Socket>,
  signal: AbortSignal,
): Promise<Socket> {
  const path = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const headers = { host: path, ...authorization(new URL(proxy.uri)) };
  let socket: Socket | undefined;
  try {
    const opened = await toProxy();
    socket = opened;
    const asked = openRequest({ method: 'CONNECT', path, headers, signal, createConnection: () => opened });
    asked.end();
    const [response] = await once(asked, 'connect');
    const status = response instanceof IncomingMessage ? response.statusCode : undefined;
    if (status === 200) return opened;
    throw new ProxyError(proxy, status);
  } catch (cause) {
    socket?.destroy();
    // Node's parser adds the bytes that it could not parse, which may repeat the password.
    if (cause instanceof Error) Reflect.deleteProperty(cause, 'rawPacket');
    if (signal.aborted) throw signal.reason;
    throw cause instanceof ProxyError ? cause : new ProxyError(proxy, undefined, cause);
  }
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' || password === '') return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` };
}
