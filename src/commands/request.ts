import { resources } from '../api/resources/index.js';
import { isResource } from '../api/resources/resource.js';
import { argument, command, option, repeatable } from '../cli/command.js';
import type { Context } from '../cli/context.js';
import { notInReference } from '../cli/help-text.js';
import { decodeJson, misfitError } from '../client/answers/decode.js';
import { assertListed } from '../client/answers/outcome.js';
import type { Answer } from '../client/exchange/exchange.js';
import { maxJsonBytes, readJsonValue } from '../client/exchange/exchange.js';
import { type ApiRequest, mayShowSecret } from '../client/exchange/request.js';
import { framing } from '../client/network/direct-sender.js';
import { chooseForms, knownForms, listPageParameters } from '../client/reading/forms.js';
import { pageTarget } from '../client/reading/page.js';
import { readPage } from '../client/reading/read-page.js';
import type { Transport } from '../client/transport/transport.js';
import { type RawAnswer, ServiceError, UsageError } from '../errors/errors.js';
import { readTypedRequest } from '../input/request.js';
import { refuseReadOnly } from './resource/confirm.js';
import { type FetchResources, takeAllPages } from './resource/pages.js';
import { printAnswer, rawAnswer, rescueUnread, toPrintableBody, writeOnceShown } from './resource/print.js';

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
    repeatable(
      '-H, --header <name: value>',
      'extra header; the Content-Type of a body is application/json by default',
    ),
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
    // Checks the output format first.
    await context.printer();
    // The transport would refuse it too, but cannot say which setting is to blame.
    if (method !== 'GET') await refuseReadOnly(context);
    const { transport } = await context.api();
    if (paginate) return printPages(call, transport, context);
    await sendAndPrint(call, transport, include || method === 'HEAD', context);
  },
});

// orgctl authenticates requests itself, and custom framing would allow request smuggling.
const reserved = new Set([...framing, 'authorization', 'x-api-key', 'x-api-signature', 'x-api-timestamp']);

/** Joins repeated headers (RFC 9110, section 5.3). @throws UsageError for an invalid or reserved header */
function parseHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (const text of texts) {
    const [, typed = '', value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\x20-\x7e\t]*)$/.exec(text) ?? [];
    if (value === undefined)
      throw new UsageError(`--header ${JSON.stringify(text)}: not of the form "Name: value" in ASCII`);
    const name = typed.toLowerCase();
    if (reserved.has(name))
      throw new UsageError(`--header ${typed}: orgctl or its HTTP client controls this header`);
    const before = headers.get(name);
    headers.set(name, before === undefined ? value.trim() : `${before}, ${value.trim()}`);
  }
  return Object.fromEntries(headers);
}

async function sendAndPrint(
  call: ApiRequest,
  transport: Transport,
  withHead: boolean,
  context: Context,
): Promise<void> {
  const printer = await context.printer();
  const received = async () => {
    const answer = await transport.send(call);
    return { answer, value: readValue(answer) };
  };
  const { answer, value } = await received().catch(async (error: unknown) => {
    const refusal = error instanceof ServiceError ? error.answer : undefined;
    if (refusal !== undefined && refusal.status >= 300) {
      if (withHead) await printer.text(printHead(refusal));
      await writeRaw(refusal.body, context);
    }
    throw mayShowSecret(call) ? await rescueUnread(error, false, context) : error;
  });
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
  if (printer.coverage() === 'whole') return;
  const what = 'the response is not JSON, so --query and --columns select nothing';
  throw new ServiceError('server', what, { retryable: false, hint: 'the request was carried out' });
}

/** The parsed body; `undefined` if it is not JSON. @throws ServiceError `server` if it is too large */
function readValue(answer: Answer): unknown {
  return answer.body.length > maxJsonBytes ? decodeJson(answer) : readJsonValue(answer.body);
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

async function printPages(call: ApiRequest, transport: Transport, context: Context): Promise<void> {
  const printer = await context.printer();
  const kind = /([^/?]*)\/?(?:\?|$)/.exec(call.target)?.[1] ?? '';
  const known = resources.find((one) => one.kind === kind);
  const forms = chooseForms(transport.forms, kind);
  // With a page in the target, the list would be incomplete, and the parameter repeated.
  const parameters = listPageParameters(forms.list);
  const query = new URLSearchParams(call.target.split('?').slice(1).join('?'));
  const chosen = [...query.keys()].find((name) => parameters.has(name));
  if (chosen !== undefined) {
    const hint = `leave ${chosen}=… out of the target`;
    throw new UsageError('--paginate begins at the first page', { hint });
  }
  const fetch: FetchResources = async ({ page, next, deadline }, left) => {
    const target = pageTarget(call.target, { page, next }, forms.list);
    const answer = await transport.send({ ...call, target, deadline }, left);
    const value = readValue(answer);
    assertListed(answer, value, transport.forms !== knownForms);
    const asked = { ...transport, target };
    const found = readPage({ value, headers: answer.headers, asked }, known ?? { kind }, forms, isResource);
    if (found === undefined) throw misfitError(answer, 'did not return a list');
    return found.page;
  };
  // Without a limit in the target, the length of a page is unknown.
  const limit = Number(query.get('limit') ?? Number.POSITIVE_INFINITY);
  const request = { limit, deadline: transport.deadline };
  const what = known?.plural ?? (kind || 'items');
  await takeAllPages({ fetch, request, what }, context, (items) => printer.documents(items));
}
