import { readSigningId } from '../../api/resources/api-key.js';
import { isResource, readId } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import {
  ConfigError,
  InterruptedError,
  OrgctlError,
  readSystemCode,
  ServiceError,
  UsageError,
  withHint,
} from '../../errors/errors.js';
import type { View } from '../../terminal/output/printer.js';
import { collectStdout } from '../../terminal/output/streams.js';
import { isNullDevice } from '../../terminal/process/system.js';
import { sanitizeJson, sanitizeLines } from '../../terminal/text/sanitize.js';
import { printJson } from '../../text/exact-json.js';

export function isUnwritten(error: unknown): boolean {
  return error instanceof ConfigError && readSystemCode(error.cause) !== undefined;
}

interface KeyWithSecret {
  readonly id: string;
  readonly secret: string;
}

/**
 * Prints a response that cannot be requested again; if the chosen output fails or lacks fields of a new resource, all of it.
 * Saves a secret that stdout does not show. @param body the response as received, if a secret may be anywhere in it
 * @returns whether stdout shows the secret, if any
 */
export async function printAnswer<Answer>(
  answer: Answer,
  view: View<Answer> | undefined,
  context: Context,
  { body, isNew = false }: { readonly body?: Buffer | undefined; readonly isNew?: boolean } = {},
): Promise<boolean> {
  const key = keyIn(answer);
  const once = key === undefined ? body && rawAnswer(body) : onceShown(key, answer);
  const rendered = await render(answer, view, isNew || once !== undefined, context);
  const isThere = key === undefined ? rendered.isWhole : rendered.text.includes(key.secret);
  const isWritten = await write(rendered.text, once, context).catch((error: unknown) => {
    throw isUnwritten(error)
      ? withHint(error, 'the request was carried out; only its output was lost')
      : error;
  });
  if (once !== undefined && isWritten && !isThere) {
    const lacks = key === undefined ? 'omits fields' : 'does not show the secret';
    await rescue(once, `the chosen output ${lacks}`, context);
  }
  if (rendered.failure !== undefined) throw rendered.failure;
  return isWritten && (once === undefined || isThere);
}

async function write(text: string, once: OnceShown | undefined, context: Context): Promise<boolean> {
  if (once !== undefined) return writeOnceShown(text, once, context);
  await context.streams.stdout.write(text);
  return true;
}

async function render<Answer>(
  answer: Answer,
  view: View<Answer> | undefined,
  isNeeded: boolean,
  context: Context,
) {
  const collected = collectStdout(context.streams);
  try {
    const printer = await context.printer(collected.streams);
    await (view === undefined ? printer.document(answer) : printer.one(answer, view));
    const coverage = printer.coverage(answer, view);
    if (!isNeeded || coverage !== 'lacking') return { text: collected.text(), isWhole: coverage === 'whole' };
    throw new UsageError('the response lacks fields that --query or --columns select');
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const json = printJson(answer, 2);
    const text = `${context.streams.stdout.isTerminal ? sanitizeJson(json) : json}\n`;
    // Not a usage error, which would mean that nothing was sent.
    const hint = 'the request was carried out; its whole response is on stdout';
    const failure = new ServiceError('server', error.message, { retryable: false, hint, cause: error });
    return { text, isWhole: true, failure };
  }
}

export function rescueSecret(key: KeyWithSecret, why: string, context: Context): Promise<void> {
  return rescue(onceShown(key, key), why, context);
}

function onceShown({ id, secret }: KeyWithSecret, answer: unknown): OnceShown {
  const content = `${printJson(answer, 2)}\n`;
  return { what: `the secret of ${id}`, file: { name: id }, content, core: secret };
}

function keyIn(answer: unknown): KeyWithSecret | undefined {
  if (!isResource(answer)) return undefined;
  const { secret } = answer;
  const id = readSigningId(answer) ?? readId(answer) ?? 'unknown';
  return typeof secret === 'string' && secret !== '' ? { id, secret } : undefined;
}

interface OnceShown {
  readonly what: string;
  /** Name of the recovery file; `extension` defaults to `json`. */
  readonly file: { readonly name: string; readonly extension?: string };
  readonly content: string | Buffer;
  /** Printed on stderr if no file can be written. */
  readonly core: string;
}

/** Writes data that cannot be shown again to stdout, or saves it. @returns whether stdout accepted it @throws ConfigError */
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
async function rescue(once: OnceShown, why: string, { printer, profiles }: Context): Promise<void> {
  const { writeRecoveryFile } = await import('../../profiles/file/write-profile-file.js');
  const where = await writeRecoveryFile(profiles().path(), once.file, once.content).then(
    (path) => `so ${once.what} is in ${path}`,
    () => `and ${once.what} could not be stored: ${once.core}`,
  );
  await (await printer()).warn(`${why}, ${where}`);
}

/**
 * Prints an error's unreadable 2xx response, which may contain a secret, or saves it if the secret is to be stored.
 * Turns errors of orgctl, except interruptions, into `server`, because a 2xx response arrived. @returns the error to throw
 */
export async function rescueUnread(
  error: unknown,
  isStored: boolean,
  context: Context,
  name?: string,
): Promise<unknown> {
  const body = unreadBody(error);
  if (body === undefined) return error;
  const once = rawAnswer(body);
  const text = toPrintableBody(body, context);
  const isShown = !isStored && (await writeOnceShown(text, once, context).catch(() => false));
  if (isStored) await rescue(once, 'orgctl does not understand the response', context);
  const where = isShown ? 'its response is on stdout' : 'the warning above says where its response is';
  const hint = `a key may have been created, and ${where}; if the response has no secret, find the key and delete it`;
  const advice = { hint, next: findKeys(name) };
  if (!(error instanceof OrgctlError) || error instanceof InterruptedError) return withHint(error, advice);
  return new ServiceError('server', error.message, { ...error.details, ...advice, cause: error });
}

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

/** The command that lists the keys with a name, or all keys if `--name` would not take the name literally. */
export function findKeys(name: string | undefined): readonly string[] {
  const byName = name === undefined || /^-|\*/.test(name) ? [] : ['--name', name];
  return ['orgctl', 'api-keys', 'list', '--all', ...byName];
}

/** A body for stdout: unchanged in a pipe; on a terminal, with control characters escaped. */
export function toPrintableBody(body: Buffer, { streams }: Context): string | Buffer {
  if (!streams.stdout.isTerminal || body.length === 0) return body;
  const text = sanitizeLines(body.toString('utf8'));
  return text.endsWith('\n') ? text : `${text}\n`;
}
