import { resources } from '../api/resources/index.js';
import { isResource, type Resource } from '../api/resources/resource.js';
import { argument, command, option, repeatable } from '../cli/command.js';
import type { Context } from '../cli/context.js';
import { notInReference } from '../cli/help-text.js';
import { decodeJson } from '../client/answers/decode.js';
import { assertListed } from '../client/answers/outcome.js';
import type { Answer } from '../client/exchange/exchange.js';
import { maxJsonBytes, readJsonValue } from '../client/exchange/json-body.js';
import { type ApiRequest, isChanging, mayShowSecret } from '../client/exchange/request.js';
import { framing } from '../client/network/direct-sender.js';
import type { ResourceNames } from '../client/reading/fields.js';
import { chooseForms, type Forms, knownForms, listPageParameters } from '../client/reading/forms.js';
import type { AskedPage } from '../client/reading/next-page.js';
import { type Page, pageTarget } from '../client/reading/page.js';
import { readPage } from '../client/reading/read-page.js';
import type { Transport } from '../client/transport/transport.js';
import { type RawAnswer, ServiceError, UsageError } from '../errors/errors.js';
import { readTypedRequest } from '../input/request.js';
import type { Printer } from '../terminal/output/printer.js';
import { rawAnswer, showUnread, toPrintableBody, writeOnceShown } from './resource/once-shown.js';
import { type FetchResources, takeAllPages } from './resource/pages.js';
import { printAnswer, refuseReadOnly } from './resource/print.js';

export const request = command({
  description:
    'Send any signed request and print the response: JSON in the chosen format; other bodies, and errors, as received.',
  args: [
    argument('<method>', 'GET, POST, PATCH, DELETE …'),
    argument('<target>', 'path and query below the base URL, such as /connections?limit=5; sent as typed'),
  ],
  options: [
    option('-d, --data <body>', 'the body: text, @file, or - for stdin', { conflicts: ['field'] }),
    repeatable('-f, --field <k=v>', 'field of the JSON body, or of the query of a GET; k:=v for JSON'),
    repeatable('-H, --header <name: value>', 'extra header; default Content-Type: application/json'),
    option('-i, --include', 'print status and headers before the body'),
    option('--paginate', `follow all pages of a list, and print them as one list ${notInReference}`, {
      conflicts: ['include'],
    }),
  ],
  examples: [
    ["orgctl request POST /api-keys -f name=ci -f 'enabled:=true'", 'a JSON body from fields'],
    ['orgctl request GET /connections --paginate -o jsonl', 'all connections, one per line'],
  ],
  calls: 'service',
  writes: ['service'],
  exits: ['quota_exceeded'],
  async run(context, [typedMethod, typedTarget], { include = false, paginate, header = [], ...given }) {
    const headers = parseHeaders(header);
    const typed = await readTypedRequest(typedMethod, typedTarget, given, context);
    const { method } = typed;
    // A Content-Type among the user's headers replaces this one.
    const call = { ...typed, headers, contentType: 'application/json' };
    if (paginate && method !== 'GET') throw new UsageError(`--paginate works with GET, not with ${method}`);
    const printer = await context.printer();
    // The transport would refuse it too, but cannot say which setting is to blame.
    if (method !== 'GET') await refuseReadOnly(context);
    const { transport } = await context.api();
    if (paginate) return printPages(call, transport, printer, context);
    await sendAndPrint(call, include || method === 'HEAD', context);
  },
});

// orgctl authenticates requests itself, and custom framing would allow request smuggling.
const reserved = new Set([...framing, 'authorization', 'x-api-key', 'x-api-signature', 'x-api-timestamp']);

/** Joins repeated headers (RFC 9110, section 5.3). @throws UsageError for an invalid or reserved header */
export function parseHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (const text of texts) {
    const [name, value] = parseHeader(text);
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

function parseHeader(text: string): [name: string, value: string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\x20-\x7e\t]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new UsageError(`--header ${JSON.stringify(text)}: not of the form "Name: value" in ASCII`, {
      hint: "for example --header 'Accept: text/plain'",
    });
  }
  const lower = name.toLowerCase();
  if (reserved.has(lower))
    throw new UsageError(`--header ${name}: orgctl or its HTTP client controls this header`);
  return [lower, value.trim()];
}

async function sendAndPrint(call: ApiRequest, withHead: boolean, context: Context): Promise<void> {
  const { transport } = await context.api();
  const received = async () => {
    const answer = await transport.send(call);
    return { answer, value: readValue(answer) };
  };
  const { answer, value } = await received().catch(async (error: unknown) => {
    if (error instanceof ServiceError && error.answer !== undefined && error.answer.status >= 300)
      await printRefusal(error.answer, withHead, context);
    throw mayShowSecret(call) ? await showUnread(error, context) : error;
  });
  const printer = await context.printer();
  if (withHead) await printer.text(printHead(answer));
  if (value !== undefined && call.method === 'GET') return printer.document(value);
  const body = mayShowSecret(call) ? answer.body : undefined;
  // A script that creates something needs its ID.
  if (value !== undefined) {
    await printAnswer(value, undefined, context, { body, isNew: call.method === 'POST' });
    return;
  }
  if (body === undefined || body.length === 0) await writeRaw(answer.body, context);
  else await writeOnceShown(toPrintableBody(body, context), rawAnswer(body), context);
  if (printer.coverage() !== 'whole') throw refuseSelection(answer, isChanging(call));
}

/** The parsed body; `undefined` if it is not JSON. @throws ServiceError `server` if it is too large */
function readValue(answer: Answer): unknown {
  return answer.body.length > maxJsonBytes ? decodeJson(answer) : readJsonValue(answer.body);
}

function refuseSelection({ body }: Answer, isDone: boolean): ServiceError {
  const what = body.length === 0 ? 'is empty' : 'is not JSON, and is on stdout as received';
  return new ServiceError('server', `the response ${what}, so --query and --columns select nothing`, {
    retryable: false,
    hint: isDone ? 'the request was carried out' : undefined,
  });
}

/** Prints the body unchanged: `--query` and `--columns` are for successful responses. */
async function printRefusal(answer: RawAnswer, withHead: boolean, context: Context): Promise<void> {
  const printer = await context.printer();
  if (withHead) await printer.text(printHead(answer));
  await writeRaw(answer.body, context);
}

function printHead({ status, headers }: RawAnswer): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${name}: ${one}\n`),
  );
  return `HTTP/1.1 ${status}\n${lines.join('')}\n`;
}

async function writeRaw(body: Buffer, context: Context): Promise<void> {
  await context.streams.stdout.write(toPrintableBody(body, context));
}

async function printPages(
  call: ApiRequest,
  transport: Transport,
  printer: Printer,
  context: Context,
): Promise<void> {
  const kind = /([^/?]*)\/?(?:\?|$)/.exec(call.target)?.[1] ?? '';
  const known = resources.find((one) => one.kind === kind);
  const names = known ?? { kind };
  const what = known?.plural ?? (kind || 'items');
  const { list } = chooseForms(transport.forms, kind);
  // The list would not be whole, and have the parameter twice.
  const parameters = listPageParameters(list);
  const query = new URLSearchParams(call.target.split('?').slice(1).join('?'));
  const chosen = [...query.keys()].find((name) => parameters.has(name));
  if (chosen !== undefined) {
    const hint = `leave ${chosen}=… out of the target`;
    throw new UsageError('--paginate begins at the first page', { hint });
  }
  const fetch: FetchResources = async ({ page, next, deadline }, left) => {
    const target = pageTarget(call.target, { page, next }, list);
    const answer = await transport.send({ ...call, target, deadline }, left);
    return pageIn(answer, { ...transport, target }, names, transport.forms);
  };
  // Without a limit in the target, the length of a page is unknown.
  const limit = Number(query.get('limit') ?? Number.POSITIVE_INFINITY);
  const request = { limit, deadline: transport.deadline };
  await takeAllPages({ fetch, request, what }, context, (items) => printer.documents(oneByOne(items)));
}

function pageIn(answer: Answer, asked: AskedPage, names: ResourceNames, forms: Forms): Page<Resource> {
  const { called, status, headers } = answer;
  const value = readValue(answer);
  assertListed(answer, value, forms !== knownForms);
  const found = readPage({ value, headers, asked }, names, chooseForms(forms, names.kind), isResource);
  if (found !== undefined) return found.page;
  throw new ServiceError('server', `${called.method} ${called.target} did not return a list`, {
    status,
    method: called.method,
    path: called.target,
    retryable: false,
    hint: 'without --paginate orgctl prints the response as received',
  });
}

async function* oneByOne<Item>(items: AsyncIterable<Item>): AsyncGenerator<readonly Item[]> {
  for await (const item of items) yield [item];
}
