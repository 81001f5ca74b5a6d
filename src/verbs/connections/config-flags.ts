import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import { readSecret } from '../../input/secret-input.js';

export interface PasswordOptions {
  readonly passwordStdin?: boolean | undefined;
  readonly passwordEnv?: string | undefined;
}

export function isPasswordGiven({ passwordStdin, passwordEnv }: PasswordOptions): boolean {
  return passwordStdin === true || passwordEnv !== undefined;
}

/** Reads stdin, a variable or a prompt. @throws UsageError, also for an empty password, because its source may have failed */
export async function readPassword(
  { passwordStdin, passwordEnv }: PasswordOptions,
  context: Pick<Context, 'system' | 'stdin' | 'prompt'>,
): Promise<string> {
  const password = await readSecret(
    { stdin: passwordStdin, env: passwordEnv },
    { prompt: 'Password', stdinFlag: '--password-stdin', envFlag: '--password-env' },
    context,
  );
  if (password !== '') return password;
  throw new UsageError('the password is empty', {
    hint: 'to set an empty password, use connections create --file',
  });
}

export interface ConfigFlags extends PasswordOptions {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly database?: string | undefined;
  readonly user?: string | undefined;
  readonly ssl?: boolean | undefined;
}

interface GivenFields extends Omit<ConfigFlags, 'port' | keyof PasswordOptions> {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly port?: number | undefined;
  readonly password?: string | undefined;
}

export function readConfig({ host, port, database, user, ssl }: ConfigFlags) {
  return given({
    host,
    port: port === undefined ? undefined : parseDatabasePort(port, '--port'),
    database,
    user,
    ssl,
  });
}

export function given(fields: GivenFields): GivenFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Parses a TCP port. @throws UsageError naming `source`, such as `--port` */
export function parseDatabasePort(text: string, source: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new UsageError(`${source} ${text}: not a port`, { hint: 'a whole number from 1 to 65535' });
}
