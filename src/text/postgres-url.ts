/** What a connection URI of PostgreSQL tells; what it leaves out is absent. */
export interface PostgresUrl {
  /** A name or address without brackets, or the directory of a Unix socket. */
  readonly host: string | undefined;
  /** Digits, as they were written. */
  readonly port: string | undefined;
  readonly database: string | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly parameters: URLSearchParams;
}

/** Makes the error for a URL that cannot be read. Neither text repeats the URL: it may hold a password. */
export type Refuse = (what: string, hint: string, cause?: unknown) => Error;

// A path with an @ or another slash is what a password with a raw slash is mistaken for.
const form = /^postgres(?:ql)?:\/\/[^\s/?#]*(?:\/[^\s/?#@]*)?(?:\?[^\s#]*)?$/i;

// Without a host the URL standard knows no user, and a socket's directory is a parameter.
const noHost = 'no-host.invalid';

/**
 * Reads a connection URI of PostgreSQL (libpq, section "Connection URIs"): `postgres:` or `postgresql:`, one host,
 * percent-encoded parts. Stricter than pg-connection-string, which mends what is badly encoded, leaves `%2F` in the
 * name of a database, and opens the files that parameters name.
 *
 * @throws what `refuse` makes
 */
export function parsePostgresUrl(text: string, refuse: Refuse): PostgresUrl {
  const complete = text.replace(/^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?=[/?]|$)/i, `$1${noHost}`);
  if (!form.test(text) || !URL.canParse(complete)) throw malformed(refuse);
  const url = new URL(complete);
  const decode = (part: string, name: string) => decoded(part, name, refuse);
  const host = url.hostname === noHost ? undefined : decode(url.hostname.replace(/^\[(.*)\]$/, '$1'), 'host');
  if (host?.includes(',')) throw malformed(refuse);
  return {
    host,
    port: url.port || undefined,
    database: decode(url.pathname.slice(1), 'database'),
    user: decode(url.username, 'user'),
    password: decode(url.password, 'password'),
    parameters: url.searchParams,
  };
}

/** The first parameter that is not known, fit for a message: dropping one could weaken the connection unseen. */
export function unknownParameter(
  { parameters }: PostgresUrl,
  known: ReadonlySet<string>,
): string | undefined {
  const unknown = [...parameters.keys()].find((name) => !known.has(name));
  if (unknown === undefined) return undefined;
  // What does not look like a name may be the rest of a password with a raw question mark.
  return /^[a-z_]+$/i.test(unknown) ? unknown : 'what follows the question mark';
}

function decoded(part: string, name: string, refuse: Refuse): string | undefined {
  try {
    return part === '' ? undefined : decodeURIComponent(part);
  } catch (error) {
    throw refuse(`the ${name} is not percent-encoded UTF-8`, 'a % is written %25', error);
  }
}

function malformed(refuse: Refuse): Error {
  return refuse(
    'not a PostgreSQL URL with one host',
    'for example postgres://user@host:5432/database?sslmode=require; in user, password and database the characters : / ? # @ are percent-encoded',
  );
}
