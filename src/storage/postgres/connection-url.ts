import { ConfigError } from '../../errors/errors.js';
import { isLoopback } from '../../text/base-url.js';
import { parsePostgresUrl, unknownParameter } from '../../text/postgres-url.js';

const urlParameters: ReadonlySet<string> = new Set(
  'application_name host options port sslcert sslkey sslmode sslrootcert user'.split(' '),
);

/**
 * Checks a URL for `pg`, which ignores unknown parameters. Default: TLS for other machines. `place` is without password.
 * @throws ConfigError that does not quote the URL
 */
export function readDatabaseUrl(text: string) {
  const refuse = (what: string, hint: string, cause?: unknown) =>
    new ConfigError(`the database's URL: ${what}`, { hint, cause });
  const url = parsePostgresUrl(text, refuse);
  const unknown = unknownParameter(url, urlParameters);
  if (unknown !== undefined) {
    const supported = `supported: ${[...urlParameters].join(', ')}`;
    const hint = `remove it; ${supported}; a password belongs in PGPASSWORD or before the @`;
    throw refuse(`it has an unknown parameter: ${unknown}`, hint);
  }
  const { parameters, database } = url;
  const host = parameters.get('host') ?? url.host ?? 'localhost';
  const port = parameters.get('port') ?? url.port;
  const isLocal = host.startsWith('/') || isLoopback(host);
  const mode = parameters.get('sslmode') ?? (isLocal ? 'disable' : 'require');
  if (!/^(?:disable|require|verify-ca|verify-full)$/.test(mode))
    throw refuse('its sslmode is unknown', 'use one of disable, require, verify-ca, verify-full');
  // `uselibpqcompat` gives the modes libpq's meaning.
  const added = `${parameters.has('sslmode') ? '' : `sslmode=${mode}&`}uselibpqcompat=true`;
  const place = [host, port && `:${port}`, database && `/${database}`].join('');
  return { connectionString: `${text}${text.includes('?') ? '&' : '?'}${added}`, place };
}
