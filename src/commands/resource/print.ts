import { readSigningId } from '../../api/resources/api-key.js';
import { isResource, readId } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { ConfigError, readSystemCode, ServiceError, UsageError, withHint } from '../../errors/errors.js';
import type { View } from '../../terminal/output/printer.js';
import { collectStdout } from '../../terminal/output/streams.js';
import { sanitizeJson } from '../../terminal/text/sanitize.js';
import { printJson } from '../../text/exact-json.js';
import { type OnceShown, rawAnswer, rescue, writeOnceShown } from './once-shown.js';

/** @throws UsageError if the output could not print the response; ConfigError for a read-only profile or no service */
export async function requireChangeable<Row>(view: View<Row>, context: Context): Promise<void> {
  (await context.printer()).check(view);
  await refuseReadOnly(context);
  await context.api();
}

/** @throws ConfigError, before the first change; the transport would refuse each one separately */
export async function refuseReadOnly({ settings }: Context): Promise<void> {
  const { value, source } = await settings().readOnly();
  if (!value) return;
  const what = source.kind === 'env' ? `${source.name} is set` : 'this profile is read-only';
  const hint =
    source.kind === 'env' ? `to allow changes: unset ${source.name}` : 'use another profile: --profile NAME';
  throw new ConfigError(`${what}; nothing was changed`, { hint });
}

export function isUnwritten(error: unknown): boolean {
  return error instanceof ConfigError && readSystemCode(error.cause) !== undefined;
}

const carriedOut = 'the request was carried out; only its output was lost';

interface KeyWithSecret {
  readonly id: string;
  readonly secret: string;
}

interface AnswerOptions {
  /** The response as received, if it may have a secret in any form. */
  readonly body?: Buffer | undefined;
  readonly isNew?: boolean;
}

/**
 * Prints a response that cannot be requested again: all of it if the chosen output fails or lacks fields of a new resource.
 * Rescues a secret that stdout does not show. @returns whether stdout shows the secret, if any
 */
export async function printAnswer<Answer>(
  answer: Answer,
  view: View<Answer> | undefined,
  context: Context,
  options: AnswerOptions = {},
): Promise<boolean> {
  const { body, isNew = false } = options;
  const key = keyIn(answer);
  const once = key === undefined ? body && rawAnswer(body) : onceShown(key, answer);
  const rendered = await render(answer, view, isNew || once !== undefined, context);
  const isThere = key === undefined ? rendered.isWhole : rendered.text.includes(key.secret);
  const isWritten = await write(rendered.text, once, context).catch((error: unknown) => {
    throw isUnwritten(error) ? withHint(error, carriedOut) : error;
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

interface Rendered {
  readonly text: string;
  readonly isWhole: boolean;
  readonly failure?: ServiceError;
}

const hint = 'the request was carried out; its whole response is on stdout';

async function render<Answer>(
  answer: Answer,
  view: View<Answer> | undefined,
  isNeeded: boolean,
  context: Context,
): Promise<Rendered> {
  const collected = collectStdout(context.streams);
  try {
    const printer = await context.printer(collected.streams);
    await (view === undefined ? printer.document(answer) : printer.one(answer, view));
    const coverage = printer.coverage(answer, view);
    if (!isNeeded || coverage !== 'lacking') return { text: collected.text(), isWhole: coverage === 'whole' };
    const what = 'the response lacks fields that --query or --columns select';
    return whole(answer, new ServiceError('server', what, { hint }), context);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // A usage error would mean that nothing was sent.
    const details = { retryable: false, hint, cause: error };
    return whole(answer, new ServiceError('server', error.message, details), context);
  }
}

function whole(answer: unknown, failure: ServiceError, { streams }: Context): Rendered {
  const json = printJson(answer, 2);
  return { text: `${streams.stdout.isTerminal ? sanitizeJson(json) : json}\n`, isWhole: true, failure };
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
