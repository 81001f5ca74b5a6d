import type { Context } from '../../cli/context.js';
import type { Advice } from '../../errors/advice.js';
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

export type RescueContext = Pick<Context, 'printer' | 'profiles'>;
export type OnceShownContext = RescueContext & Pick<Context, 'streams' | 'system'>;

export interface OnceShown {
  readonly what: string;
  /** Name of the recovery file; `extension` defaults to `json`. */
  readonly file: { readonly name: string; readonly extension?: string };
  readonly content: string | Buffer;
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
  const why = whyLost(context);
  if (why !== undefined) await rescue(once, why, context);
  return why === undefined;
}

function whyLost({ streams, system }: Pick<Context, 'streams' | 'system'>): string | undefined {
  if (discardsOutput({ system })) return 'stdout is closed or /dev/null';
  return streams.closed.aborted ? 'stdout was closed' : undefined;
}

/** Checks, before the request, that `rescue` can write its file. @throws ConfigError */
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
  return toUnreadError(
    error,
    isShown ? 'its response is on stdout, as received' : 'the warning above says where its response is',
  );
}

/** Like `showUnread`, but saves the response to a new file. @returns `undefined` without a 2xx response */
export async function keepUnread(
  error: unknown,
  { name }: { readonly name?: string | undefined },
  context: RescueContext,
): Promise<unknown> {
  const answer = unreadAnswer(error);
  if (answer === undefined) return undefined;
  await rescue(rawAnswer(answer), 'orgctl does not understand the response', context);
  return toUnreadError(error, 'the warning above says where its response is', findKey(name));
}

function findKey(name: string | undefined): Advice {
  const find = ['orgctl', 'api-keys', 'list', '--all', ...(name === undefined ? [] : ['--name', name])];
  return { hint: 'look for a new key, and delete it unless the response has its secret', next: find };
}

function unreadAnswer(error: unknown): RawAnswer | undefined {
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
function toUnreadError(error: unknown, where: string, more: Advice = findKey(undefined)): unknown {
  const done = `a key may have been created; ${where}, and may contain the secret`;
  const advice = { hint: more.hint === undefined ? done : `${done}; ${more.hint}`, next: more.next };
  if (!(error instanceof OrgctlError) || error instanceof InterruptedError) return withHint(error, advice);
  const details = { ...error.details, ...advice };
  return new ServiceError('server', error.message, { ...details, cause: error });
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
