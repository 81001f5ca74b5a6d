import { BlockList, isIP } from 'node:net';
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
  const endpoint = toEndpoint(url);
  const entries = (env['no_proxy'] || env['NO_PROXY'] || '').split(/[,\s]+/).filter((entry) => entry !== '');
  const entry = entries.find((each) => covers(each, endpoint));
  return entry && `NO_PROXY covers ${endpoint.host}${entry === endpoint.host ? '' : ` (${entry})`}`;
}

function findVariable(env: Environment): string | undefined {
  return ['https_proxy', 'HTTPS_PROXY'].find((name) => env[name]);
}

/**
 * Whether an entry of `NO_PROXY` names the endpoint: `*`, a host or suffix with or without a leading `.` or `*.`, an
 * address, or a range such as `10.0.0.0/8`; all but `*` with an optional port. An IPv6 address with a port is in
 * brackets.
 */
function covers(entry: string, { host, port }: Endpoint): boolean {
  if (entry === '*') return true;
  const [, bracketed, plain, ownPort] = /^(?:\[(.+)\]|([^:]+|.*:.*:.*?))(?::(\d+))?$/.exec(entry) ?? [];
  const name = bracketed ?? plain ?? entry;
  if (Number(ownPort) > 0 && Number(ownPort) !== port) return false;
  if (isIP(host) !== 0) return containsAddress(name, host);
  const suffix = name.replace(/^\*?\./, '').toLowerCase();
  return host === suffix || host.endsWith(`.${suffix}`);
}

function containsAddress(name: string, host: string): boolean {
  const family = (text: string) => (isIP(text) === 6 ? 'ipv6' : 'ipv4');
  const [address = '', bits = isIP(address) === 6 ? 128 : 32] = name.split('/');
  const range = new BlockList();
  try {
    range.addSubnet(address, Number(bits || NaN), family(address));
    return range.check(host, family(host));
  } catch {
    // Neither an address nor a range covers anything.
    return false;
  }
}

function isHttpAddress(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, username, password } = new URL(uri);
  return /^https?:$/.test(protocol) && !/%(?![0-9a-f]{2})/i.test(username + password);
}

/** A proxy that did not connect to the service. */
export class ProxyError extends Error {
  readonly proxy: ProxySettings['name'];
  readonly variable: string;
  /** Whether a user name and password were sent to the proxy. */
  readonly hasPassword: boolean;
  readonly status: number | undefined;
  /** Values of `Proxy-Authenticate`. */
  readonly offered: readonly string[];

  constructor(
    { uri, name, variable }: ProxySettings,
    why: { readonly status?: number; readonly offered?: readonly string[]; readonly cause?: unknown },
  ) {
    super('the proxy did not connect to the service', { cause: why.cause });
    this.proxy = name;
    this.variable = variable;
    this.hasPassword = new URL(uri).password !== '';
    this.status = why.status;
    this.offered = why.offered ?? [];
  }
}
