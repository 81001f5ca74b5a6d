import { ConfigError } from '../../errors/errors.js';
import { isLoopback } from '../../text/base-url.js';
import { parsePostgresUrl, unknownParameter } from '../../text/postgres-url.js';

const urlParameters: ReadonlySet<string> = new Set([
  'application_name',
  'host',
  'options',
  'port',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslrootcert',
  'user',
]);

const sslModes: readonly string[] = ['disable', 'require', 'verify-ca', 'verify-full'];

export interface DatabaseUrl {
  readonly connectionString: string;
  /** Without user and password. */
  readonly place: string;
}

/**
 * Checks a URL for `pg`, which would ignore unknown parameters. A URL without `sslmode` means TLS for other machines, and
 * none for this one.
 * @throws ConfigError that does not quote the URL, which may contain a password
 */
export function readDatabaseUrl(text: string): DatabaseUrl {
  const url = parsePostgresUrl(text, (what, hint, cause) => {
    return new ConfigError(`the database's URL: ${what}`, { hint, cause });
  });
  const unknown = unknownParameter(url, urlParameters);
  if (unknown !== undefined) {
    throw new ConfigError(`the database's URL has an unknown parameter: ${unknown}`, {
      hint: `remove it; supported: ${[...urlParameters].join(', ')}; a password belongs in PGPASSWORD or before the @`,
    });
  }
  const { parameters, database } = url;
  const host = parameters.get('host') ?? url.host ?? 'localhost';
  const port = parameters.get('port') ?? url.port;
  const isLocal = host.startsWith('/') || isLoopback(host);
  const mode = parameters.get('sslmode') ?? (isLocal ? 'disable' : 'require');
  if (!sslModes.includes(mode)) {
    throw new ConfigError("the sslmode in the database's URL is unknown", {
      hint: `use one of ${sslModes.join(', ')}`,
    });
  }
  // `uselibpqcompat` gives the modes libpq's meaning.
  const added = `${parameters.has('sslmode') ? '' : `sslmode=${mode}&`}uselibpqcompat=true`;
  const place = `${host}${port === undefined ? '' : `:${port}`}${database === undefined ? '' : `/${database}`}`;
  return { connectionString: `${text}${text.includes('?') ? '&' : '?'}${added}`, place };
}
