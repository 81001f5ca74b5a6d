import {
  connectionInputSchema,
  connections,
  isPostgres,
  postgresDefaults,
} from '../../api/resources/connection.js';
import type { ConnectionInput } from '../../api/resources/records.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import { describeIssues } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import {
  completeSettings,
  type FoundSecret,
  type SecretReference,
} from '../../input/forms/secret-reference.js';
import type { EntryKind, Prepared } from '../../input/inputs.js';
import { askMissing, readSecret } from '../../input/questions.js';
import { checkDecodedSecret, decodeSecret, dropTrailingNewline } from '../../profiles/settings/secret.js';
import { parsePostgresUrl, unknownParameter } from '../../text/postgres-url.js';
import { requireName } from '../resource/update.js';

type TextFlag = 'name' | 'type' | 'host' | 'port' | 'database' | 'user' | 'passwordEnv' | 'url';
type Switch = 'ssl' | 'passwordStdin' | 'urlStdin' | 'dryRun';

export type ConnectionFlags = { readonly [Flag in TextFlag]?: string | undefined } & {
  readonly [Flag in Switch]?: boolean | undefined;
};

const questions = {
  name: 'Name of the connection',
  host: 'Host of the database',
  database: 'Name of the database',
  user: 'User to log in as',
} as const;

/** Reads flags, which override the URL; prompts for missing ones. @throws UsageError if they are invalid or incomplete */
export async function readConnection(flags: ConnectionFlags, context: Context): Promise<ConnectionInput> {
  const { type = 'postgresql' } = flags;
  const isKnown = isPostgres(type);
  const given: Resource = {
    ...(await readDatabase(flags, context)),
    ...withoutMissing({ name: flags.name }),
  };
  const needed = isKnown ? (['name', 'host', 'database', 'user'] as const) : (['name'] as const);
  const missing = needed.filter((field) => given[field] === undefined);
  const asked = missing.map(
    (field) => [`--${field}`, questions[field], field === 'name' ? requireName : undefined] as const,
  );
  const answers = await askMissing(asked, {}, context);
  const answered = missing.map((field) => [field, answers.get(`--${field}`)] as const);
  const all: Resource = { ...(isKnown && postgresDefaults), ...given, ...Object.fromEntries(answered) };
  const { name, password: own, ...config } = all;
  const complete = (password: unknown) => {
    const body = { name, type, config: { ...config, ...withoutMissing({ password }) } };
    const { data, error } = connectionInputSchema(body).safeParse(body);
    if (data !== undefined) return data;
    throw new UsageError(`not a valid connection: ${describeIssues(error)}`);
  };
  // All else is checked before the prompt; a dry run needs neither service nor password.
  const unasked = complete(own ?? (isKnown ? '' : undefined));
  if (!flags.dryRun) await context.api();
  const isNeeded = isPasswordGiven(flags) || (own === undefined && isKnown && !flags.dryRun);
  return isNeeded ? complete(await readPassword(flags, context)) : unasked;
}

async function readDatabase(flags: ConnectionFlags, context: Context): Promise<Resource> {
  const url = await readUrl(flags, context);
  const { type = 'postgresql' } = flags;
  if (Object.keys(url).length > 0 && !isPostgres(type))
    throw new UsageError(`--type ${type}: a postgres:// URL is for the types postgresql and pg`);
  return { ...url, ...readConfig(flags) };
}

async function readUrl({ url, urlStdin }: ConnectionFlags, context: Context): Promise<Resource> {
  if (url === undefined && !urlStdin) return {};
  const source = urlStdin ? '--url-stdin' : '--url';
  const refuse = (what: string, cause: unknown) => new UsageError(`${source}: the URL ${what}`, { cause });
  const text = url ?? decodeSecret(await context.stdin(source), refuse);
  const database = parseDatabaseUrl(text, source);
  if (url !== undefined && database['password'] !== undefined)
    throw new UsageError('--url must not contain a password: every user of this machine can read arguments', {
      hint: 'pass the URL with --url-stdin, or the password with --password-env or at the prompt',
    });
  return database;
}

function readConfig({ host, port, database, user, ssl }: ConnectionFlags): Resource {
  const number = port === undefined ? undefined : parsePort(port, '--port');
  return withoutMissing({ host, port: number, database, user, ssl });
}

export async function readPatch(flags: ConnectionFlags, context: Context): Promise<Resource> {
  const { name, type } = flags;
  const password = isPasswordGiven(flags) ? await readPassword(flags, context) : undefined;
  const config = { ...readConfig(flags), ...withoutMissing({ password }) };
  const hasConfig = Object.keys(config).length > 0;
  return { ...withoutMissing({ name, type }), ...(hasConfig && { config }) };
}

function isPasswordGiven({ passwordStdin, passwordEnv }: ConnectionFlags): boolean {
  return passwordStdin === true || passwordEnv !== undefined;
}

/** @throws UsageError for an empty password, because its source may have failed */
async function readPassword(
  { passwordStdin, passwordEnv }: ConnectionFlags,
  context: Context,
): Promise<string> {
  const hint = 'use --password-stdin or --password-env VAR';
  const question = { prompt: 'Password', option: '--password', hint };
  const password = await readSecret({ stdin: passwordStdin, env: passwordEnv }, question, context);
  if (password !== '') return password;
  throw new UsageError('the password is empty');
}

function withoutMissing(fields: Resource): Resource {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Besides `sslmode`, common parameters that change neither the database nor who may read along. */
const readParameters = new Set([
  ...['sslmode', 'application_name', 'channel_binding', 'connect_timeout', 'connection_limit', 'options'],
  ...['pgbouncer', 'pool_timeout', 'schema', 'statement_cache_size', 'target_session_attrs'],
]);

/** Refuses parameters that would change what is connected to. @throws UsageError that quotes no password */
function parseDatabaseUrl(text: string, source: string): Resource {
  const refuse = (what: string, hint: string) => new UsageError(`${source}: ${what}`, { hint });
  const url = parsePostgresUrl(text, refuse);
  const unknown = unknownParameter(url, readParameters);
  if (unknown !== undefined)
    throw refuse(`the API has no field for ${unknown}`, 'leave it out; the API has a field only for sslmode');
  const { port, parameters, ...parts } = url;
  const mode = parameters.get('sslmode');
  return withoutMissing({
    ...parts,
    port: port === undefined ? undefined : parsePort(port, source),
    ssl: mode === null ? undefined : mode !== 'disable',
  });
}

/** @throws UsageError naming `source`, such as `--port` */
function parsePort(text: string, source: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`${source} ${text}: not a port from 1 to 65535`);
}

type Variables = Context['system']['env'];

/** Entries of files may have references instead of secrets. */
export const entry: EntryKind<ConnectionInput> = {
  fields: ['name', 'type', 'config'],
  schemaFor: connectionInputSchema,
  prepare: withSecrets,
};

function withSecrets(body: Readonly<Resource>, env: Variables): Prepared {
  const { type, config } = body;
  if (!isResource(config)) return { body };
  const completed = completeSettings(type, config, (reference) => readVariable(reference, env));
  const secrets = connections.secretSettings(type);
  const settings = Object.entries(completed.config).map(([name, value]) =>
    secrets.includes(name) && typeof value === 'string' ? [name, dropTrailingNewline(value)] : [name, value],
  );
  const [problem] = completed.problems;
  return {
    body: { ...body, config: Object.fromEntries(settings) },
    problem: problem && { path: ['config', ...problem.path], message: problem.what },
  };
}

function readVariable(reference: SecretReference, env: Variables): FoundSecret {
  if (!('env' in reference))
    return { what: 'connections create accepts only { env: NAME }; apply also accepts files and commands' };
  try {
    const refuse = (what: string) => new UsageError(`the variable ${reference.env} ${what}`);
    const secret = checkDecodedSecret(env[reference.env] ?? '', refuse);
    return secret === '' ? { what: `the variable ${reference.env} is not set` } : { secret };
  } catch (error) {
    if (error instanceof UsageError) return { what: error.message };
    throw error;
  }
}
