import type { Context } from '../cli/context.js';
import { InterruptedError, OrgctlError, type RawAnswer, ServiceError, withHint } from '../errors/errors.js';
import { isNullDevice } from '../terminal/process/process-system.js';
import { sanitizeLines } from '../terminal/text/sanitize.js';

export type RescueContext = Pick<Context, 'printer' | 'profiles'>;
export type OnceShownContext = RescueContext & Pick<Context, 'streams' | 'system'>;

/** What the service does not show again. */
export interface OnceShown {
  /** As messages name it: `the secret of key_…`. */
  readonly what: string;
  /** What a file for it is called; `extension`: `json` unless given. */
  readonly file: { readonly name: string; readonly extension?: string };
  /** The file's content. */
  readonly content: string | Buffer;
  /** What must not be lost of it. */
  readonly core: string;
}

/**
 * Writes to stdout what the service does not show again, and rescues it where stdout does not take it.
 *
 * @param output how it is printed
 * @returns whether stdout took it
 * @throws ConfigError when stdout cannot be written, after that
 */
export async function writeOnceShown(
  output: string | Buffer,
  once: OnceShown,
  context: OnceShownContext,
): Promise<boolean> {
  try {
    await context.streams.stdout.write(output);
  } catch (error) {
    await rescue(once, 'stdout did not take it', context);
    throw error;
  }
  const why = whyLost(context);
  if (why !== undefined) await rescue(once, why, context);
  return why === undefined;
}

/** Why what was written to stdout has reached nobody; `undefined` when it has, as far as can be known. */
export function whyLost({ streams, system }: Pick<Context, 'streams' | 'system'>): string | undefined {
  if (isNullDevice(system.stdoutFile)) return 'stdout is closed or /dev/null';
  return streams.closed.aborted ? 'nobody read stdout' : undefined;
}

/**
 * Rescues what the service does not show again and could not be stored: to a new file (0600) next to the profiles, or to
 * stderr if that cannot be written. Says where, also with `--quiet`.
 */
export async function rescue(
  once: OnceShown,
  why: string,
  { printer, profiles }: RescueContext,
): Promise<void> {
  const { writeRecoveryFile } = await import('../profiles/file/write-profile-file.js');
  const where = await writeRecoveryFile(profiles().path(), once.file, once.content).then(
    (path) => `is in ${path}`,
    () => `could not be kept anywhere: ${once.core}`,
  );
  await (await printer()).warn(`${once.what} (${why}) ${where}`);
}

/**
 * Shows the answer behind an error on stdout, as it came: the request was carried out, and the answer was not understood.
 *
 * @returns the error to throw; the same one where no such answer is behind it
 */
export async function showUnread(error: unknown, context: OnceShownContext): Promise<unknown> {
  const answer = unreadAnswer(error);
  if (answer === undefined) return error;
  const { isTerminal } = context.streams.stdout;
  const text = isTerminal ? `${sanitizeLines(answer.body.toString('utf8'))}\n` : answer.body;
  const isShown = await writeOnceShown(text, rawAnswer(answer), context).catch(() => false);
  return unread(error, isShown ? 'its answer is on stdout as it came' : 'its answer was kept as said above');
}

/** As `showUnread`, in a new file, for a secret that was not to be shown; `undefined` where no such answer is behind it. */
export async function keepUnread(error: unknown, context: RescueContext): Promise<unknown> {
  const answer = unreadAnswer(error);
  if (answer === undefined) return undefined;
  await rescue(rawAnswer(answer), 'it was not understood', context);
  return unread(error, 'its answer was kept as said above');
}

/** The body of a 2xx answer, or what came of it, that an error is about. */
function unreadAnswer(error: unknown): RawAnswer | undefined {
  if (!(error instanceof OrgctlError) || error.answer === undefined) return undefined;
  const { status, body } = error.answer;
  return status >= 200 && status < 300 && body.length > 0 ? error.answer : undefined;
}

/** The body of an answer of unknown shape: the secret may be anywhere in it. */
export function rawAnswer({ body }: Pick<RawAnswer, 'body'>): OnceShown {
  return {
    what: "the service's answer, which may hold a secret",
    file: { name: 'answer', extension: 'txt' },
    content: body,
    core: body.toString('utf8'),
  };
}

/** An interruption stays one; of anything else the answer's status says that the request was carried out. */
function unread(error: unknown, where: string): unknown {
  const hint = `the status says that it was carried out; ${where}, and may hold the secret`;
  if (!(error instanceof OrgctlError) || error instanceof InterruptedError) return withHint(error, hint);
  const details = { ...error.details, hint, next: undefined, see: undefined };
  return new ServiceError('server', error.message, { ...details, cause: error });
}
