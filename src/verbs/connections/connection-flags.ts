import {
  type ConnectionInput,
  connectionInputSchema,
  isPostgres,
  postgresDefaults,
} from '../../api/resources/connection.js';
import { describeIssues } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import type { Advice } from '../../errors/advice.js';
import { UsageError } from '../../errors/errors.js';
import { askMissing } from '../../input/ask-missing.js';
import { decodeSecret } from '../../profiles/settings/secret-text.js';
import { canAsk } from '../../terminal/interaction/can-ask.js';
import { requireName } from '../resource/required-name.js';
import {
  type ConfigFlags,
  given,
  isPasswordGiven,
  parseDatabasePort,
  readConfig,
  readPassword,
} from './config-flags.js';
import { type DatabaseUrl, parseDatabaseUrl } from './database-url.js';

export interface ConnectionFlags extends ConfigFlags {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly url?: string | undefined;
  readonly urlStdin?: boolean | undefined;
}

/** Reads flags; prompts for missing ones. @throws UsageError if they are invalid, or incomplete without a terminal */
export async function describedByFlags(
  options: ConnectionFlags & { readonly dryRun?: boolean | undefined },
  context: Pick<Context, 'api' | 'system' | 'streams' | 'stdin' | 'prompt'>,
): Promise<ConnectionInput> {
  const draft = await draftConnection(options, context);
  // Fails before the password prompt if no service is set up; a dry run needs no service.
  if (!options.dryRun) await context.api();
  const asks = draft.lacksPassword && (!options.dryRun || isPasswordGiven(options));
  const password = asks ? await askPassword(draft, options, context) : undefined;
  return draft.complete(password);
}

async function askPassword(
  { mayLackPassword }: Draft,
  options: ConnectionFlags,
  context: Pick<Context, 'system' | 'stdin' | 'prompt'>,
): Promise<string | undefined> {
  if (!mayLackPassword) return readPassword(options, context);
  const { hidden } = await context.prompt();
  const hint = 'give --password-stdin or --password-env VAR';
  return (await hidden('Password (Enter: none)', { hint })) || undefined;
}

interface Draft {
  readonly lacksPassword: boolean;
  readonly mayLackPassword: boolean;
  /** The password defaults to the URL's or, for PostgreSQL, to an empty one. */
  complete(password?: string): ConnectionInput;
}

/** Checks everything but the password. Only PostgreSQL has defaults; other types are sent as given. */
async function draftConnection(
  flags: ConnectionFlags,
  context: Pick<Context, 'stdin' | 'system' | 'streams' | 'prompt'>,
): Promise<Draft> {
  const { type = 'postgresql' } = flags;
  const database = await readDatabase(flags, type, context);
  const { name, ...answered } = await withAnswers({ ...database, name: flags.name }, flags, context);
  const isAsked = !isPostgres(type) && Object.keys(database).length === 0 && canAsk(context);
  const known = isAsked ? { ...answered, ...(await askSettings(context)) } : answered;
  const { password: own, ...config } = isPostgres(type) ? { ...postgresDefaults, ...known } : known;
  if (own !== undefined && isPasswordGiven(flags)) throw new UsageError('the URL already has a password');
  const complete = (password = own ?? (isPostgres(type) ? '' : undefined)) => {
    const body = { name, type, config: password === undefined ? config : { ...config, password } };
    const parsed = connectionInputSchema(body).safeParse(body);
    if (parsed.success) return parsed.data;
    throw new UsageError(`not a valid connection: ${describeIssues(parsed.error)}`);
  };
  complete();
  const mayLackPassword = isAsked && known.user !== undefined && !isPasswordGiven(flags);
  const needed = isPostgres(type) || isPasswordGiven(flags) || mayLackPassword;
  return { lacksPassword: own === undefined && needed, mayLackPassword, complete };
}

async function readDatabase(
  flags: ConnectionFlags,
  type: string,
  context: Pick<Context, 'stdin'>,
): Promise<DatabaseUrl> {
  const typed = readConfig(flags);
  const url = given(await readUrl(flags, context));
  const twice = Object.keys(typed).find((field) => Object.hasOwn(url, field));
  if (twice !== undefined) throw new UsageError(`both --${twice} and the URL give the ${twice}`);
  if (Object.keys(url).length > 0 && !isPostgres(type)) {
    throw new UsageError(`--type ${type}: a postgres:// URL is for the types postgresql and pg`);
  }
  return { ...url, ...typed };
}

async function readUrl(
  { url, urlStdin, passwordStdin }: ConnectionFlags,
  context: Pick<Context, 'stdin'>,
): Promise<DatabaseUrl> {
  if (urlStdin) {
    if (url !== undefined) throw new UsageError('--url and --url-stdin cannot be combined');
    if (passwordStdin) throw new UsageError('--url-stdin and --password-stdin cannot be combined');
    const text = decodeSecret(
      await context.stdin('--url-stdin'),
      (what, cause) => new UsageError(`--url-stdin: the URL ${what}`, { cause }),
    );
    return parseDatabaseUrl(text, '--url-stdin');
  }
  if (url === undefined) return {};
  const parsed = parseDatabaseUrl(url, '--url');
  if (parsed.password === undefined) return parsed;
  throw new UsageError('--url must not contain a password: every user of this machine can read arguments', {
    hint: 'pass the URL with --url-stdin; or leave out the password: orgctl prompts for it, or reads it with --password-env',
  });
}

async function withAnswers(
  known: DatabaseUrl & { readonly name?: string | undefined },
  flags: ConnectionFlags,
  context: Pick<Context, 'system' | 'streams' | 'prompt'>,
) {
  const { type = 'postgresql' } = flags;
  const needed = isPostgres(type) ? (['name', 'host', 'database', 'user'] as const) : (['name'] as const);
  const missing = needed.filter((field) => known[field] === undefined);
  const asked = missing.map(
    (field) => [`--${field}`, questions[field], field === 'name' ? requireName : undefined] as const,
  );
  const answers = await askMissing(asked, exampleCommand(flags, missing), context);
  return { ...known, ...Object.fromEntries(missing.map((field) => [field, answers.get(`--${field}`)])) };
}

const examples = { name: 'app', host: 'localhost', database: 'app', user: 'app' } as const;

function exampleCommand(flags: ConnectionFlags, missing: readonly (keyof typeof examples)[]): Advice {
  const { type, url, urlStdin, passwordStdin } = flags;
  const typed = given({ type, name: flags.name, ...readConfig({ ...flags, ssl: undefined }) });
  const password = isPasswordGiven(flags) || urlStdin || !isPostgres(type ?? 'postgresql');
  const words = [
    ...Object.entries(typed).flatMap(([field, value]) => [`--${field}`, String(value)]),
    ...missing.flatMap((field) => [`--${field}`, examples[field]]),
    ...(url === undefined ? [] : ['--url', url]),
    ...(flags.ssl === false ? ['--no-ssl'] : []),
    ...(urlStdin ? ['--url-stdin'] : []),
    ...(passwordStdin ? ['--password-stdin'] : []),
    ...(password ? [] : ['--password-env', 'PGPASSWORD']),
    ...(flags.passwordEnv === undefined ? [] : ['--password-env', flags.passwordEnv]),
  ];
  return { next: ['orgctl', 'connections', 'create', ...words] };
}

async function askSettings({ prompt }: Pick<Context, 'prompt'>): Promise<DatabaseUrl> {
  const { line } = await prompt();
  const ask = async (question: string, flag: string, check?: (answer: string) => unknown) => {
    const answer = await line(`${question} (Enter: none):`, {
      hint: `give ${flag}`,
      check: (typed) => typed.trim() !== '' && check?.(typed.trim()),
    });
    return answer.trim() === '' ? undefined : answer.trim();
  };
  const host = await ask(questions.host, '--host');
  if (host === undefined) return {};
  const port = await ask('Port', '--port', (typed) => parseDatabasePort(typed, 'port'));
  const database = await ask(questions.database, '--database');
  const user = await ask(questions.user, '--user');
  return given({ host, port: port === undefined ? undefined : Number(port), database, user });
}

const questions = {
  name: 'Name of the connection',
  host: 'Host of the database',
  database: 'Name of the database',
  user: 'User to log in as',
};
