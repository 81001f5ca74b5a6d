import type { Api } from '../client/api.js';
import type { Context } from '../context.js';
import { printJson } from '../contract/exact-json.js';
import { UsageError } from '../errors.js';
import { Canvas } from '../terminal/canvas.js';
import type { View } from '../terminal/printer.js';
import { sanitizeJson } from '../terminal/sanitize.js';

export type AnswerContext = Pick<Context, 'printer' | 'streams' | 'profiles' | 'system'>;

/**
 * The service, for a command that changes something: opened only when the answer can be printed as requested, since it
 * must not be lost.
 *
 * @throws UsageError when rows of the view, or one, cannot be printed so; what resolving the settings throws
 */
export async function apiForChange<Row>(
  view: View<Row>,
  shape: 'value' | 'list',
  context: Pick<Context, 'api' | 'printer'>,
): Promise<Api> {
  (await context.printer()).check(view, shape);
  return context.api();
}

/** A new key, whose secret the service shows once. */
export interface KeyWithSecret {
  readonly id: string;
  readonly secret: string;
}

/**
 * Prints the answer to a request that may have changed something, and so must not be repeated. If it cannot be printed
 * as requested, it is printed whole. A secret that stdout did not take, or that was not selected, goes to a recovery
 * file; see `rescueSecret`. Without a view it is a document of unknown shape.
 *
 * @throws what printing threw, after that
 */
export async function printAnswer<Answer>(
  answer: Answer,
  view: View<Answer> | undefined,
  context: AnswerContext,
): Promise<void> {
  const key = keyIn(answer);
  const { text, failure } = await rendered(answer, view, context);
  const { streams } = context;
  try {
    await streams.stdout.write(text);
  } catch (error) {
    if (key !== undefined) await rescueSecret(key, 'stdout did not take it', context);
    throw error;
  }
  if (key !== undefined && streams.closed.aborted) await rescueSecret(key, 'nobody read stdout', context);
  else if (key !== undefined && !text.includes(key.secret)) {
    await rescueSecret(key, 'it is not in what was asked for', context);
  }
  if (failure !== undefined) throw failure;
}

interface Rendered {
  readonly text: string;
  readonly failure?: UsageError;
}

/** What to print; if it cannot be printed as requested, the whole answer and the reason. */
async function rendered<Answer>(
  answer: Answer,
  view: View<Answer> | undefined,
  context: AnswerContext,
): Promise<Rendered> {
  const { streams } = context;
  const canvas = new Canvas(streams.stdout);
  try {
    const printer = await context.printer(canvas.asStdout(streams));
    await (view === undefined ? printer.document(answer) : printer.one(answer, view));
    return { text: canvas.text };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const json = printJson(answer, 2);
    const hint = 'the request was carried out; its whole answer is on stdout';
    return {
      text: `${streams.stdout.isTerminal ? sanitizeJson(json) : json}\n`,
      failure: new UsageError(error.message, { hint, cause: error }),
    };
  }
}

/**
 * Rescues a secret that the service does not show again and that could not be stored: to a file (0600) next to the
 * profiles, or to stderr if that cannot be written. Says where, also with `--quiet`.
 */
export async function rescueSecret(
  { id, secret }: KeyWithSecret,
  why: string,
  { printer, profiles }: Pick<Context, 'printer' | 'profiles'>,
): Promise<void> {
  const { writeRecoveryFile } = await import('../profiles/write-profile-file.js');
  const content = `${JSON.stringify({ id, secret }, null, 2)}\n`;
  const where = await writeRecoveryFile(profiles().path(), id, content).then(
    (path) => `is in ${path}`,
    () => `could not be kept anywhere: ${secret}`,
  );
  await (await printer()).warn(`the secret of ${id} (${why}) ${where}`);
}

function keyIn(answer: unknown): KeyWithSecret | undefined {
  if (typeof answer !== 'object' || answer === null || !('secret' in answer)) return undefined;
  const { secret } = answer;
  const id = 'id' in answer && typeof answer.id === 'string' ? answer.id : 'unknown';
  return typeof secret === 'string' && secret !== '' ? { id, secret } : undefined;
}
