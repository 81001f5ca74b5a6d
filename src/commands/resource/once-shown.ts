import type { Context } from '../../cli/context.js';
import {
  ConfigError,
  describeFileError,
  InterruptedError,
  OrgctlError,
  type RawAnswer,
  ServiceError,
  withHint,
} from '../../errors/errors.js';
import { isNullDevice } from '../../terminal/process/process-system.js';
import { sanitizeLines } from '../../terminal/text/sanitize.js';

/** Access to what rescues data that cannot be shown again. */
export type RescueContext = Pick<Context, 'printer' | 'profiles'>;
export type OnceShownContext = RescueContext & Pick<Context, 'streams' | 'system'>;

export interface OnceShown {
  readonly what: string;
  /** Name of the recovery file; `extension` defaults to `json`. */
  readonly file: { readonly name: string; readonly extension?: string };
  readonly content: string | Buffer;
  /** Printed on stderr if no file can be written. */
  readonly core: string;
}

/** Writes data that cannot be shown again, or rescues it. @returns whether stdout accepted it @throws ConfigError */
export async function writeOnceShown(
  output: string | Buffer,
  once: OnceShown,
  context: OnceShownContext,
): Promise<boolean> {
  try {
    await context.streams.stdout.write(output);
  } catch (error) {
    await rescue(once, 'writing to stdout failed', context);
    throw error;
  }
  const isNull = discardsOutput(context);
  if (!isNull && !context.streams.closed.aborted) return true;
  await rescue(once, isNull ? 'stdout is closed or /dev/null' : 'stdout was closed', context);
  return false;
}

/** Checks, before a request, that `rescue` can write its file. @throws ConfigError */
export async function assertRescuable({ profiles }: Pick<Context, 'profiles'>): Promise<void> {
  const { assertRecoverable } = await import('../../profiles/file/write-profile-file.js');
  const path = profiles().path();
  await assertRecoverable(path).catch((error: unknown) => {
    const why = error instanceof ConfigError ? error.message : `${path}: ${describeFileError(error)}`;
    throw new ConfigError(
      `the chosen output does not show the new key's secret, and it could not be stored: ${why}`,
      {
        hint: 'nothing was sent; print the secret, too, or set ORGCTL_CONFIG_DIR to a directory that can be written',
        cause: error,
      },
    );
  });
}

/** Whether what is written to stdout is discarded. */
export function discardsOutput({ system }: Pick<Context, 'system'>): boolean {
  return isNullDevice(system.stdoutFile);
}

/** Saves data that cannot be shown again in a new file (0600), and says where; if that fails, prints it on stderr. */
export async function rescue(
  once: OnceShown,
  why: string,
  { printer, profiles }: RescueContext,
): Promise<void> {
  const { writeRecoveryFile } = await import('../../profiles/file/write-profile-file.js');
  const where = await writeRecoveryFile(profiles().path(), once.file, once.content).then(
    (path) => `so ${once.what} is in ${path}`,
    () => `and ${once.what} could not be stored: ${once.core}`,
  );
  await (await printer()).warn(`${why}, ${where}`);
}

/** Prints an error's unreadable 2xx response, which may contain a secret. @returns the error to throw */
export async function showUnread(error: unknown, context: OnceShownContext): Promise<unknown> {
  const answer = unreadAnswer(error);
  if (answer === undefined) return error;
  const text = toPrintableBody(answer.body, context);
  const isShown = await writeOnceShown(text, rawAnswer(answer), context).catch(() => false);
  const where = isShown ? 'its response is on stdout, as received' : warned;
  return toUnreadError(error, where, undefined);
}

/** Like `showUnread`, but saves the response in a new file. @param name of the key that was to be created */
export async function keepUnread(
  error: unknown,
  name: string | undefined,
  context: RescueContext,
): Promise<unknown> {
  const answer = unreadAnswer(error);
  if (answer === undefined) return error;
  await rescue(rawAnswer(answer), 'orgctl does not understand the response', context);
  return toUnreadError(error, warned, name);
}

const warned = 'the warning above says where its response is';

/** The 2xx response behind an error. */
export function unreadAnswer(error: unknown): RawAnswer | undefined {
  if (!(error instanceof OrgctlError) || error.answer === undefined) return undefined;
  const { status, body } = error.answer;
  return status >= 200 && status < 300 && body.length > 0 ? error.answer : undefined;
}

/** A body of unknown shape: the secret may be anywhere in it. */
export function rawAnswer({ body }: Pick<RawAnswer, 'body'>): OnceShown {
  return {
    what: 'the response, which may contain a secret,',
    file: { name: 'answer', extension: 'txt' },
    content: body,
    core: body.toString('utf8'),
  };
}

/** Turns errors of orgctl, except interruptions, into `server`, because a 2xx response arrived. */
function toUnreadError(error: unknown, where: string, name: string | undefined): unknown {
  const advice = {
    hint: `a key may have been created; ${where}, and may contain the secret; look for a new key, and delete it unless the response has its secret`,
    next: findKeys(name),
  };
  if (!(error instanceof OrgctlError) || error instanceof InterruptedError) return withHint(error, advice);
  return new ServiceError('server', error.message, { ...error.details, ...advice, cause: error });
}

/** The command that lists the keys with a name, or all: `--name` takes patterns. */
export function findKeys(name: string | undefined): readonly string[] {
  return [
    'orgctl',
    'api-keys',
    'list',
    '--all',
    ...(name === undefined || /^-|\*/.test(name) ? [] : ['--name', name]),
  ];
}

/**
 * A body as received, for stdout: exact in a pipe. For a terminal, escapes control characters, which it could obey, and
 * ends the last line, so that an error or the shell's prompt does not follow on it.
 */
export function toPrintableBody(body: Buffer, { streams }: Pick<Context, 'streams'>): string | Buffer {
  if (!streams.stdout.isTerminal || body.length === 0) return body;
  const text = sanitizeLines(body.toString('utf8'));
  return text.endsWith('\n') ? text : `${text}\n`;
}
