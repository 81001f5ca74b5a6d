import { UsageError } from '../../errors/errors.js';
import { type PostgresUrl, parsePostgresUrl, unknownParameter } from '../../text/postgres-url.js';

interface DatabaseUrl extends Partial<Omit<PostgresUrl, 'port' | 'parameters'>> {
  readonly port?: number | undefined;
  readonly ssl?: boolean | undefined;
  /** Names of parameters that change neither the database nor who may read along. */
  readonly ignored: readonly string[];
}

/** Parameters that providers and drivers add to their URLs. */
const harmless: ReadonlySet<string> = new Set(
  `application_name fallback_application_name channel_binding client_encoding connect_timeout connection_limit
  gssencmode keepalives keepalives_idle keepalives_interval keepalives_count load_balance_hosts options pgbouncer
  pool_timeout prepareThreshold schema sslnegotiation sslsni statement_cache_size target_session_attrs
  tcp_user_timeout uselibpqcompat`.split(/\s+/),
);

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

/**
 * `sslmode=disable` means `ssl: false`; other modes mean true. Refuses parameters that would change what is connected to.
 * @param source names the text in messages, such as `--url`
 * @throws UsageError that never quotes the whole text, which may contain a password
 */
export function parseDatabaseUrl(text: string, source: string): DatabaseUrl {
  const refuse = (what: string, hint?: string, cause?: unknown) =>
    new UsageError(`${source}: ${what}`, { hint, cause });
  const [, digits] = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?[^/?#@]*?:(\d+)(?:[/?#]|$)/i.exec(text) ?? [];
  if (digits !== undefined && !isPort(digits)) throw refuse('the port is not a whole number from 1 to 65535');
  const url = parsePostgresUrl(text, refuse);
  const unknown = unknownParameter(url, new Set(['sslmode', ...harmless]));
  if (unknown !== undefined)
    throw refuse(`the API has no field for ${unknown}`, 'leave it out; the API has a field only for sslmode');
  const { port, parameters, ...parts } = url;
  const [mode, ...others] = parameters.getAll('sslmode');
  if (mode !== undefined && (others.length > 0 || !sslModes.includes(mode)))
    throw refuse(`sslmode must be one of ${sslModes.join(', ')}`);
  return {
    ...parts,
    port: port === undefined ? undefined : Number(port),
    ssl: mode === undefined ? undefined : mode !== 'disable',
    ignored: [...new Set(parameters.keys())].filter((name) => harmless.has(name)),
  };
}

/** Parses a TCP port. @throws UsageError naming `source`, such as `--port` */
export function parseDatabasePort(text: string, source: string): number {
  if (isPort(text)) return Number(text);
  throw new UsageError(`${source} ${text}: not a port`, { hint: 'a whole number from 1 to 65535' });
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}
