import type { Context } from '../../cli/context.js';
import { InterruptedError, OrgctlError, ServiceError, withHint } from '../../errors/errors.js';
import { isNullDevice } from '../../terminal/process/system.js';
import { sanitizeLines } from '../../terminal/text/sanitize.js';

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
  context: Context,
): Promise<boolean> {
  try {
    await context.streams.stdout.write(output);
  } catch (error) {
    await rescue(once, 'writing to stdout failed', context);
    throw error;
  }
  const isNull = isNullDevice(context.system.stdoutFile);
  if (!isNull && !context.streams.closed.aborted) return true;
  await rescue(once, isNull ? 'stdout is closed or /dev/null' : 'stdout was closed', context);
  return false;
}

/** Saves data that cannot be shown again in a new file (0600), and says where; if that fails, prints it on stderr. */
export async function rescue(once: OnceShown, why: string, { printer, profiles }: Context): Promise<void> {
  const { writeRecoveryFile } = await import('../../profiles/file/write-profile-file.js');
  const where = await writeRecoveryFile(profiles().path(), once.file, once.content).then(
    (path) => `so ${once.what} is in ${path}`,
    () => `and ${once.what} could not be stored: ${once.core}`,
  );
  await (await printer()).warn(`${why}, ${where}`);
}

/** Prints an error's unreadable 2xx response, which may contain a secret. @returns the error to throw */
export async function showUnread(error: unknown, context: Context): Promise<unknown> {
  const body = unreadBody(error);
  if (body === undefined) return error;
  const text = toPrintableBody(body, context);
  const isShown = await writeOnceShown(text, rawAnswer(body), context).catch(() => false);
  return toUnreadError(error, isShown ? 'its response is on stdout, as received' : warned, undefined);
}

/** Like `showUnread`, but saves the response in a new file. @param name of the key that was to be created */
export async function keepUnread(
  error: unknown,
  name: string | undefined,
  context: Context,
): Promise<unknown> {
  const body = unreadBody(error);
  if (body === undefined) return error;
  await rescue(rawAnswer(body), 'orgctl does not understand the response', context);
  return toUnreadError(error, warned, name);
}

const warned = 'the warning above says where its response is';

export function unreadBody(error: unknown): Buffer | undefined {
  if (!(error instanceof OrgctlError) || error.answer === undefined) return undefined;
  const { status, body } = error.answer;
  return status >= 200 && status < 300 && body.length > 0 ? body : undefined;
}

/** A body of unknown shape: the secret may be anywhere in it. */
export function rawAnswer(body: Buffer): OnceShown {
  const what = 'the response, which may contain a secret,';
  return { what, file: { name: 'answer', extension: 'txt' }, content: body, core: body.toString('utf8') };
}

/** Turns errors of orgctl, except interruptions, into `server`, because a 2xx response arrived. */
function toUnreadError(error: unknown, where: string, name: string | undefined): unknown {
  const hint = `a key may have been created; ${where}, and may contain the secret; look for a new key, and delete it unless the response has its secret`;
  const advice = { hint, next: findKeys(name) };
  if (!(error instanceof OrgctlError) || error instanceof InterruptedError) return withHint(error, advice);
  return new ServiceError('server', error.message, { ...error.details, ...advice, cause: error });
}

/** The command that lists the keys with a name, or all: `--name` takes patterns. */
export function findKeys(name: string | undefined): readonly string[] {
  const byName = name === undefined || /^-|\*/.test(name) ? [] : ['--name', name];
  return ['orgctl', 'api-keys', 'list', '--all', ...byName];
}

/** A body for stdout: exact in a pipe; a terminal, which could obey control characters, gets them escaped. */
export function toPrintableBody(body: Buffer, { streams }: Context): string | Buffer {
  if (!streams.stdout.isTerminal || body.length === 0) return body;
  const text = sanitizeLines(body.toString('utf8'));
  return text.endsWith('\n') ? text : `${text}\n`;
}
