import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { UsageError } from '../../errors.js';
import { parseTimestamp, timestampOf } from '../../signing/timestamp.js';
import { type BodyOptions, collect, requestBody } from '../body.js';
import { withExamples } from '../help-text.js';
import { parseTarget } from '../target.js';
import { type SignFormat, signFormats, writeSigned } from './format.js';
import { signOffline } from './signed-request.js';

export interface SignCommandOptions extends BodyOptions {
  readonly contentType?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly format?: string | undefined;
}

/** `orgctl sign`: what would be sent, without sending it (reference, section 5). */
export function sign(command: Command, context: Context, run = signRequest): void {
  withExamples(
    command
      .description(
        'Sign a request without sending it: the canonical string, the headers, and a curl command that sends it.',
      )
      .argument('<method>', 'GET, POST, PATCH, DELETE …')
      .argument('<target>', 'path and query below the base URL, such as /quotas')
      .option('-d, --data <body>', 'the body: text, @file, or - for stdin')
      .option('-f, --field <k=v>', 'field of a JSON body; k:=v for JSON values; repeatable', collect)
      .option(
        '--content-type <type>',
        'value of Content-Type; default application/json where there is a body',
      )
      .option('--timestamp <seconds>', 'sign for another moment; default: now')
      .option('--format <format>', 'explain (default), headers, json or curl'),
    [
      ['orgctl sign GET /quotas', 'everything, explained'],
      ['orgctl sign GET /quotas --format curl | sh', 'send it with curl'],
    ],
  ).action((method, target, options) => run(method, target, options, context));
}

export async function signRequest(
  method: string,
  target: string,
  options: SignCommandOptions,
  context: Pick<Context, 'settings' | 'printer' | 'system' | 'stdin' | 'clock' | 'flags'>,
): Promise<void> {
  const format = parseFormat(options.format, context);
  const body = await requestBody(options, context);
  const signed = await signOffline(
    {
      method: method.toUpperCase(),
      target: parseTarget(target),
      timestamp: timestampFrom(options.timestamp, context.clock()),
      contentType: body === undefined ? undefined : (options.contentType ?? 'application/json'),
      body: body ?? Buffer.alloc(0),
    },
    context,
  );
  await writeSigned(signed, format, await context.printer());
}

function parseFormat(text: string | undefined, context: Pick<Context, 'flags'>): SignFormat {
  if (text === undefined) return context.flags().output === undefined ? 'explain' : 'json';
  const format = signFormats.find((known) => known === text);
  if (format !== undefined) return format;
  throw new UsageError(`--format ${text}: not one of ${signFormats.join(', ')}`);
}

function timestampFrom(text: string | undefined, now: number): string {
  if (text === undefined) return timestampOf(now);
  if (parseTimestamp(text) !== undefined) return text;
  throw new UsageError(`--timestamp ${text}: not Unix time in seconds`, {
    hint: `now it is ${timestampOf(now)}`,
  });
}
