import { withoutBrackets } from './base-url.js';

export interface PostgresUrl {
  readonly host: string | undefined;
  readonly port: string | undefined;
  readonly database: string | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly parameters: URLSearchParams;
}

/** The texts do not quote the URL, which may contain a password. */
type Refuse = (what: string, hint: string, cause?: unknown) => Error;

// A path with an @ or another slash may be the rest of a password with a raw slash.
const form = /^postgres(?:ql)?:\/\/[^\s/?#]*(?:\/[^\s/?#@]*)?(?:\?[^\s#]*)?$/i;

// Stands in for a missing host: the URL standard allows no user without one.
const noHost = 'no-host.invalid';

/**
 * Reads a connection URI (libpq, "Connection URIs"). Unlike pg-connection-string, opens no files that parameters name.
 * @throws the error from `refuse`
 */
export function parsePostgresUrl(text: string, refuse: Refuse): PostgresUrl {
  const complete = text.replace(/^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?=[/?]|$)/i, `$1${noHost}`);
  if (!form.test(text) || !URL.canParse(complete)) throw refuseMalformed(refuse);
  const url = new URL(complete);
  const decode = (part: string, name: string) => decodePart(part, name, refuse);
  const host = url.hostname === noHost ? undefined : decode(withoutBrackets(url.hostname), 'host');
  if (host?.includes(',')) throw refuseMalformed(refuse);
  return {
    host,
    port: url.port || undefined,
    database: decode(url.pathname.slice(1), 'database'),
    user: decode(url.username, 'user'),
    password: decode(url.password, 'password'),
    parameters: url.searchParams,
  };
}

/** Names an unknown parameter, which could silently weaken the connection if it were ignored. */
export function unknownParameter(
  { parameters }: PostgresUrl,
  known: ReadonlySet<string>,
): string | undefined {
  const unknown = [...parameters.keys()].find((name) => !known.has(name));
  if (unknown === undefined) return undefined;
  // Other text may be the rest of a password with a raw question mark.
  return /^[a-z_]+$/i.test(unknown) ? unknown : 'the text after the question mark';
}

function decodePart(part: string, name: string, refuse: Refuse): string | undefined {
  if (/%00/.test(part)) throw refuse(`the ${name} contains a NUL character`, 'PostgreSQL accepts none');
  try {
    return part === '' ? undefined : decodeURIComponent(part);
  } catch (error) {
    throw refuse(`the ${name} is not percent-encoded UTF-8`, 'a % is written %25', error);
  }
}

function refuseMalformed(refuse: Refuse): Error {
  return refuse(
    'not a PostgreSQL URL with one host',
    'for example postgres://user@host:5432/database?sslmode=require; in user, password and database the characters : / ? # @ are percent-encoded',
  );
}
