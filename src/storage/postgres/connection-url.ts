import { ConfigError } from '../../errors/errors.js';
import { parsePostgresUrl, unknownParameter } from '../../text/postgres-url.js';

/** A missing `port`, `database`, `user` or `password` comes from a variable such as `PGUSER` or from the driver. */
export interface ConnectionUrl {
  /** A name, an address, or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number | undefined;
  readonly database: string | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Time limit for connecting, in milliseconds. */
  readonly timeout: number;
  readonly parameters: ReadonlyMap<string, string>;
  readonly place: string;
}

const urlParameters: ReadonlySet<string> = new Set([
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

/** Refuses unsupported parameters. @throws ConfigError that does not quote the URL, which may contain a password */
export function parseConnectionUrl(text: string): ConnectionUrl {
  const url = parsePostgresUrl(text, refuseUrl);
  const unknown = unknownParameter(url, urlParameters);
  if (unknown !== undefined) {
    throw new ConfigError(`the database's URL has an unknown parameter: ${unknown}`, {
      hint: `remove it; supported: ${[...urlParameters].join(', ')}; a password belongs in PGPASSWORD or before the @`,
    });
  }
  const parameters = new Map(url.parameters);
  const host = parameters.get('host') ?? url.host ?? 'localhost';
  if (host.includes(',')) {
    throw new ConfigError("the database's URL has more than one host", { hint: 'choose one of them' });
  }
  const port = parsePortText(parameters.get('port') ?? url.port);
  const { database, user, password } = url;
  return {
    host,
    port,
    database,
    user: parameters.get('user') ?? user,
    password,
    timeout: parseTimeout(parameters.get('connect_timeout')),
    parameters,
    place: `${host}${port === undefined ? '' : `:${port}`}${database === undefined ? '' : `/${database}`}`,
  };
}

function refuseUrl(what: string, hint: string, cause?: unknown): ConfigError {
  return new ConfigError(`the database's URL: ${what}`, { hint, cause });
}

function parsePortText(text = ''): number | undefined {
  if (text === '') return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new ConfigError("the port in the database's URL must be from 1 to 65535", {
    hint: 'PostgreSQL listens on 5432 by default',
  });
}

function parseTimeout(seconds = '5'): number {
  if (/^[1-9]\d{0,3}$/.test(seconds)) return 1000 * Number(seconds);
  throw new ConfigError("the connect_timeout in the database's URL must be from 1 to 9999 seconds");
}
