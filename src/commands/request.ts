import type { Command } from '@commander-js/extra-typings';
import { collect } from '../cli/command.js';
import type { Context } from '../cli/context.js';
import { notInReference, withExamples } from '../cli/help-text.js';
import { decodeAny } from '../client/answers/decode.js';
import type { Answer } from '../client/exchange/exchange.js';
import { type ApiRequest, isChanging, mayShowSecret } from '../client/exchange/request.js';
import type { Transport } from '../client/transport/transport.js';
import { type RawAnswer, ServiceError } from '../errors/errors.js';
import { type BodyOptions, targetAndBody } from '../input/body.js';
import { parseMethod, parseTarget } from '../input/request-line.js';
import type { Printer } from '../terminal/output/printer.js';
import { adviseIfUnwritten } from '../verbs/done-unwritten.js';
import { type AnswerContext, printAnswer } from '../verbs/print-answer.js';
import { refuseReadOnly } from '../verbs/refuse-read-only.js';
import { parseHeaders } from '../verbs/request/headers.js';
import { assertPageable, printPages } from '../verbs/request/paginate.js';
import {
  assertRescuable,
  discardsOutput,
  rawAnswer,
  showUnread,
  toPrintableBody,
  writeOnceShown,
} from './resource/once-shown.js';

interface RequestOptions extends BodyOptions {
  readonly header?: readonly string[] | undefined;
  readonly include?: boolean | undefined;
  readonly paginate?: boolean | undefined;
}

export function request(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        'Send any signed request and print the response: JSON in the chosen format; other bodies, and errors, as received.',
      )
      .argument('<method>', 'GET, POST, PATCH, DELETE …')
      .argument('<target>', 'path and query below the base URL, such as /connections?limit=5; sent as typed')
      .option('-d, --data <body>', 'the body: text, @file, or - for stdin')
      .option(
        '-f, --field <k=v>',
        'field of the JSON body, or of the query of a GET; k:=v for JSON values; repeatable',
        collect,
      )
      .option(
        '-H, --header <name: value>',
        'extra header; repeatable; Content-Type is application/json unless given',
        collect,
      )
      .option('-i, --include', 'print status and headers before the body')
      .option('--paginate', `follow all pages of a list, and print them as one list ${notInReference}`),
    [
      ['orgctl request GET /quotas', 'a signed GET'],
      ["orgctl request POST /api-keys -f name=ci -f 'enabled:=true'", 'a JSON body from fields'],
      ['orgctl request GET /connections --paginate -o jsonl', 'all connections, one per line'],
    ],
    { calls: 'service', writes: ['service'], exits: ['quota_exceeded'] },
  ).action((method, target, options) => sendRequest(method, target, options, context));
}

async function sendRequest(
  method: string,
  target: string,
  options: RequestOptions,
  context: AnswerContext & Pick<Context, 'api' | 'settings' | 'stdin' | 'note' | 'progress'>,
): Promise<void> {
  const call = await toRequest(method, target, options, context);
  if (options.paginate) assertPageable(call, options);
  const printer = await context.printer();
  // The transport would refuse it too, but cannot say which setting is to blame.
  if (call.method !== 'GET') await refuseReadOnly(context);
  const { transport } = await context.api();
  if (mayShowSecret(call) && (discardsOutput(context) || printer.coverage() !== 'whole'))
    await assertRescuable(context);
  if (options.paginate) return printPages(call, transport, printer, context);
  const { answer, value } = await receiveAnswer(call, transport, options, context);
  const printing = printReceived(call, { answer, value }, isShownWithHead(call, options), context);
  if (!isChanging(call)) return printing;
  await adviseIfUnwritten(printing, {
    hint: `${call.method} ${target} returned ${answer.status}; look at what it changed before you repeat the request`,
  });
}

async function printReceived(
  call: ApiRequest,
  { answer, value }: Received,
  withHead: boolean,
  context: AnswerContext,
): Promise<void> {
  const printer = await context.printer();
  if (withHead) await printer.text(printHead(answer));
  const body = mayShowSecret(call) ? answer.body : undefined;
  if (value !== undefined && call.method === 'GET') return printer.document(value);
  // A script that creates something needs its ID.
  if (value !== undefined)
    return printAnswer(value, undefined, context, { body, isNew: call.method === 'POST' });
  if (body === undefined || body.length === 0) await writeRaw(answer.body, context);
  else await writeOnceShown(toPrintableBody(body, context), rawAnswer({ body }), context);
  if (printer.coverage() !== 'whole') throw refuseSelection(answer, isChanging(call));
}

/** The error if there is no JSON for `--query` or `--columns` to select from. */
function refuseSelection({ body }: Answer, isDone: boolean): ServiceError {
  const [what, where] =
    body.length === 0 ? ['is empty', ''] : ['is not JSON', 'the response is on stdout, as received'];
  const done = isDone ? 'the request was carried out' : '';
  return new ServiceError('server', `the response ${what}, so --query and --columns select nothing`, {
    retryable: false,
    hint: [done, where].filter((part) => part !== '').join('; ') || undefined,
  });
}

interface Received {
  readonly answer: Answer;
  readonly value: unknown;
}

async function receiveAnswer(
  call: ApiRequest,
  transport: Transport,
  options: RequestOptions,
  context: AnswerContext,
): Promise<Received> {
  try {
    const answer = await transport.send(call);
    return { answer, value: decodeAny(answer) };
  } catch (error) {
    if (error instanceof ServiceError && error.answer !== undefined && error.answer.status >= 300) {
      await printRefusal(error.answer, isShownWithHead(call, options), await context.printer(), context);
    }
    throw mayShowSecret(call) ? await showUnread(error, context) : error;
  }
}

function isShownWithHead({ method }: ApiRequest, { include }: RequestOptions): boolean {
  return include === true || method === 'HEAD';
}

async function toRequest(
  method: string,
  target: string,
  options: RequestOptions,
  context: Pick<Context, 'system' | 'stdin'>,
): Promise<ApiRequest> {
  const headers = parseHeaders(options.header ?? []);
  const parsed = parseMethod(method);
  const parts = await targetAndBody(parsed, parseTarget(target), options, context);
  // A Content-Type among the user's headers replaces this one.
  return { method: parsed, ...parts, headers, contentType: 'application/json' };
}

/** Prints the body unchanged: `--query` and `--columns` are for successful responses. */
async function printRefusal(
  answer: RawAnswer,
  withHead: boolean,
  printer: Printer,
  context: Pick<Context, 'streams'>,
): Promise<void> {
  if (withHead) await printer.text(printHead(answer));
  await writeRaw(answer.body, context);
  // Makes the next response in a file start on a new line.
  const isOpen = answer.body.length > 0 && answer.body.at(-1) !== 0x0a;
  if (isOpen && !context.streams.stdout.isTerminal) await printer.text('\n');
}

function printHead({ status, headers }: RawAnswer): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${name}: ${one}\n`),
  );
  return `HTTP/1.1 ${status}\n${lines.join('')}\n`;
}

async function writeRaw(body: Buffer, context: Pick<Context, 'streams'>): Promise<void> {
  await context.streams.stdout.write(toPrintableBody(body, context));
}
