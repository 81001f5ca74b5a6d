import { ConfigError } from '../../errors.js';

/** What a connection URI says; what it leaves out, the driver takes from `PGUSER` and its like, or from its defaults. */
export interface ConnectionUrl {
  /** A name, an address, or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number | undefined;
  readonly database: string | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Milliseconds for which a connection is waited for. */
  readonly timeout: number;
  readonly parameters: ReadonlyMap<string, string>;
  /** Where the database is, for messages: never with user or password. */
  readonly place: string;
}

const parametersTaken = new Set([
  'application_name',
  'connect_timeout',
  'host',
  'options',
  'port',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslrootcert',
  'user',
]);

/**
 * Reads a connection URI of PostgreSQL (libpq, section "Connection URIs"): one host, percent-encoded parts. Parameters
 * that are not taken are refused, since dropping one could weaken the connection unseen.
 * @throws ConfigError that never repeats the text: it may hold a password.
 */
export function parseConnectionUrl(text: string): ConnectionUrl {
  // Without a host the URL standard knows no user, and a socket's directory is a parameter.
  const isOfForm =
    /^postgres(?:ql)?:\/\/[^\s/?#]*(?:\/[^\s/?#@]*)?(?:\?[^\s#]*)?$/i.test(text) &&
    URL.canParse(withHost(text));
  if (!isOfForm) throw malformed();
  const url = new URL(withHost(text));
  const parameters = parametersOf(url.searchParams);
  const named = url.hostname === noHost ? undefined : decoded(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  const host = parameters.get('host') ?? named ?? 'localhost';
  if (host.includes(',')) throw malformed();
  const port = portOf(parameters.get('port') ?? url.port);
  const database = decoded(url.pathname.slice(1));
  return {
    host,
    port,
    database,
    user: parameters.get('user') ?? decoded(url.username),
    password: decoded(url.password),
    timeout: timeoutOf(parameters.get('connect_timeout')),
    parameters,
    place: `${host}${port === undefined ? '' : `:${port}`}${database === undefined ? '' : `/${database}`}`,
  };
}

const noHost = 'no-host.invalid';

function withHost(text: string): string {
  return text.replace(/^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)(?=[/?]|$)/i, `$1${noHost}`);
}

function parametersOf(search: URLSearchParams): ReadonlyMap<string, string> {
  for (const name of search.keys()) {
    if (parametersTaken.has(name)) continue;
    // What does not look like a name may be the rest of a password with a raw question mark.
    const named = /^[a-z_]+$/i.test(name) ? name : 'what follows the question mark';
    throw new ConfigError(`the database's URL has a parameter that is not known: ${named}`, {
      hint: `leave it out; known are ${[...parametersTaken].join(', ')}, and a password comes from PGPASSWORD or before the @`,
    });
  }
  return new Map(search);
}

function portOf(text: string): number | undefined {
  if (text === '') return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new ConfigError("the port of the database's URL is not a port", { hint: 'PostgreSQL has 5432' });
}

function timeoutOf(seconds = '5'): number {
  if (/^[1-9]\d{0,3}$/.test(seconds)) return 1000 * Number(seconds);
  throw new ConfigError("the connect_timeout of the database's URL is not a number of seconds");
}

function decoded(part: string): string | undefined {
  try {
    return part === '' ? undefined : decodeURIComponent(part);
  } catch (error) {
    throw new ConfigError("a part of the database's URL is not percent-encoded UTF-8", {
      hint: 'a % is written %25',
      cause: error,
    });
  }
}

function malformed(): ConfigError {
  return new ConfigError("the database's URL is not a PostgreSQL URL with one host", {
    hint: 'for example postgres://user@host:5432/database?sslmode=verify-full&sslrootcert=system; in user, password and database the characters : / ? # @ are percent-encoded',
  });
}
