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
type Refuse = (what: string, hint: string) => Error;

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
  const host = url.hostname === noHost ? undefined : decodePart(withoutBrackets(url.hostname), refuse);
  if (host?.includes(',')) throw refuseMalformed(refuse);
  return {
    host,
    port: url.port || undefined,
    database: decodePart(url.pathname.slice(1), refuse),
    user: decodePart(url.username, refuse),
    password: decodePart(url.password, refuse),
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

function decodePart(part: string, refuse: Refuse): string | undefined {
  try {
    // PostgreSQL accepts no NUL.
    if (!part.includes('%00')) return decodeURIComponent(part) || undefined;
  } catch {
    // It is not percent-encoded UTF-8.
  }
  throw refuseMalformed(refuse);
}

function refuseMalformed(refuse: Refuse): Error {
  return refuse(
    'not a PostgreSQL URL with one host',
    'for example postgres://user@host:5432/database?sslmode=require; in user, password and database the characters : / ? # @ % are percent-encoded',
  );
}
