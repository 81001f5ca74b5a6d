import type { Command } from '@commander-js/extra-typings';
import { parseJson } from '../../client/decode.js';
import type { Answer } from '../../client/exchange.js';
import type { ApiRequest, Method } from '../../client/transport.js';
import type { Context } from '../../context.js';
import { UsageError } from '../../errors.js';
import { sanitizeLines } from '../../terminal/sanitize.js';
import { type BodyOptions, collect, requestBody } from '../body.js';
import { withExamples } from '../help-text.js';
import { parseTarget } from '../target.js';

export interface RequestOptions extends BodyOptions {
  readonly header?: readonly string[] | undefined;
  readonly include?: boolean | undefined;
}

/** `orgctl request`: any call, signed; the target goes out byte for byte as it was typed. */
export function request(command: Command, context: Context, run = sendRequest): void {
  withExamples(
    command
      .description('Send any signed request and print the answer.')
      .argument('<method>', 'GET, POST, PATCH, DELETE …')
      .argument('<target>', 'path and query below the base URL, such as /connections?limit=5; sent as typed')
      .option('-d, --data <body>', 'the body: text, @file, or - for stdin')
      .option('-f, --field <k=v>', 'field of a JSON body; k:=v for JSON values; repeatable', collect)
      .option('-H, --header <name: value>', 'further header; repeatable', collect)
      .option('-i, --include', 'print status and headers before the body'),
    [
      ['orgctl request GET /quotas', 'a signed GET'],
      ["orgctl request POST /api-keys -f name=ci -f 'enabled:=true'", 'a JSON body from fields'],
    ],
  ).action((method, target, options) => run(method, target, options, context));
}

export async function sendRequest(
  method: string,
  target: string,
  options: RequestOptions,
  context: Pick<Context, 'api' | 'printer' | 'streams' | 'system' | 'stdin'>,
): Promise<void> {
  const call = await callOf(method, target, options, context);
  const printer = await context.printer();
  const { streams } = context;
  const { transport } = await context.api();
  const answer = await transport.send(call);
  if (options.include) await printer.text(headOf(answer));
  const value = parseJson(answer.body);
  if (value !== undefined) await printer.document(value);
  else
    await streams.stdout.write(
      streams.stdout.isTerminal ? sanitizeLines(answer.body.toString('utf8')) : answer.body,
    );
}

async function callOf(
  method: string,
  target: string,
  options: RequestOptions,
  context: Pick<Context, 'system' | 'stdin'>,
): Promise<ApiRequest> {
  const headers = parseHeaders(options.header ?? []);
  const body = await requestBody(options, context);
  const { 'content-type': contentType = 'application/json', ...others } = headers;
  return { method: parseMethod(method), target: parseTarget(target), headers: others, body, contentType };
}

const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function parseMethod(text: string): Method {
  const method = methods.find((known) => known === text.toUpperCase());
  if (method !== undefined) return method;
  throw new UsageError(`${text}: not a method`, { hint: `one of ${methods.join(', ')}` });
}

// The names that decide who is asking and where the body ends are not the caller's to set.
const reserved =
  /^(authorization|x-api-(key|timestamp|signature)|host|content-length|transfer-encoding|connection)$/;

function parseHeaders(headers: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    headers.map((header) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\t]*)$/.exec(header) ?? [];
      if (name === undefined || value === undefined) {
        throw new UsageError(`--header ${JSON.stringify(header)}: not of the form "Name: value"`);
      }
      if (reserved.test(name.toLowerCase())) throw new UsageError(`--header ${name}: set by orgctl itself`);
      return [name.toLowerCase(), value.trim()];
    }),
  );
}

function headOf(answer: Answer): string {
  const lines = Object.entries(answer.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${name}: ${one}\n`),
  );
  return `HTTP ${answer.status}\n${lines.join('')}\n`;
}
