import { UsageError } from '../../errors.js';
import { parsePort } from './port.js';

/** What a connection URL tells of a database; what it leaves out is absent. */
export interface DatabaseUrl {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly database?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly ssl?: boolean | undefined;
}

// A path with an @ or another slash is what a password with a raw slash is mistaken for.
const form = /^postgres(?:ql)?:\/\/[^\s/?#]*(?:\/[^\s/?#@]*)?(?:\?[^\s#]*)?$/i;

const example = 'for example postgres://user@host:5432/database?sslmode=require';

/**
 * Reads a connection URI of PostgreSQL (libpq, section "Connection URIs"): `postgres:` or `postgresql:`, one host,
 * percent-encoded parts. `sslmode=disable` is `ssl: false`, every other mode `true`. Other parameters are refused: the
 * API has no field for them, and dropping one could weaken the connection unseen.
 *
 * @param source what gave the text, for messages, such as `--url`
 * @throws UsageError that never repeats the text: it may hold a password
 */
export function parseDatabaseUrl(text: string, source: string): DatabaseUrl {
  if (!form.test(text) || !URL.canParse(text)) {
    throw new UsageError(`${source}: not a PostgreSQL URL with one host`, {
      hint: `${example}; in user, password and database the characters : / ? # @ are percent-encoded`,
    });
  }
  const url = new URL(text);
  const decode = (part: string, name: string) => decoded(part, `${source}: the ${name}`);
  return {
    host: decode(url.hostname.replace(/^\[(.*)\]$/, '$1'), 'host'),
    port: url.port === '' ? undefined : parsePort(url.port, `${source}: port`),
    database: decode(url.pathname.slice(1), 'database'),
    user: decode(url.username, 'user'),
    password: decode(url.password, 'password'),
    ssl: sslOf(url.searchParams, source),
  };
}

function decoded(part: string, what: string): string | undefined {
  try {
    return part === '' ? undefined : decodeURIComponent(part);
  } catch (error) {
    throw new UsageError(`${what} is not percent-encoded UTF-8`, {
      hint: 'a % is written %25',
      cause: error,
    });
  }
}

const sslByMode: ReadonlyMap<string, boolean> = new Map([
  ['disable', false],
  ['allow', true],
  ['prefer', true],
  ['require', true],
  ['verify-ca', true],
  ['verify-full', true],
]);

function sslOf(parameters: URLSearchParams, source: string): boolean | undefined {
  const other = [...parameters.keys()].find((name) => name !== 'sslmode');
  if (other !== undefined) {
    // What does not look like a name may be the rest of a password with a raw question mark.
    const named = /^[a-z_]+$/i.test(other) ? other : 'what follows the question mark';
    throw new UsageError(`${source}: the API has no field for ${named}`, {
      hint: 'leave it out: sslmode is the one parameter that has a field',
    });
  }
  const modes = parameters.getAll('sslmode');
  const [mode] = modes;
  if (mode === undefined) return undefined;
  const ssl = sslByMode.get(mode);
  if (ssl !== undefined && modes.length === 1) return ssl;
  throw new UsageError(`${source}: sslmode is one of ${[...sslByMode.keys()].join(', ')}`);
}
