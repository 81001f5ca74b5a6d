import { type Command, Option } from '@commander-js/extra-typings';
import { collect } from '../cli/command.js';
import type { Context } from '../cli/context.js';
import { withExamples } from '../cli/help-text.js';
import { isInMilliseconds } from '../signing/hmac/timestamp.js';
import { assertCheckable, checkSignature } from '../verbs/sign/check.js';
import { explanation, headerLines, signedValue } from '../verbs/sign/explanation.js';
import { type RequestFlags, readRequestToSign } from '../verbs/sign/request-to-sign.js';
import { curlRefusal, signedRequest, toCurl } from '../verbs/sign/signed-request.js';

const formats = ['explain', 'headers', 'json', 'curl'] as const;

interface SignFlags extends RequestFlags {
  readonly format?: (typeof formats)[number] | undefined;
  readonly check?: string | undefined;
}

export function sign(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        'Sign a request without sending it: print the canonical string, the headers and a curl command. With --check, diagnose a wrong signature: name the mistake and the fix.',
      )
      .argument('<method>', 'GET, POST, PATCH, DELETE …')
      .argument('<target>', 'path and query below the base URL, such as /quotas; signed as typed')
      .option('-d, --data <body>', 'the body: text, @file, or - for stdin')
      .option(
        '-f, --field <k=v>',
        'field of the JSON body, or of the query of a GET; k:=v for JSON values; repeatable',
        collect,
      )
      .option(
        '--content-type <type>',
        "content type of the body, or '' if none is sent; default application/json",
      )
      .option('--timestamp <seconds>', 'time to sign for; default now')
      .addOption(
        new Option('--format <format>', 'what to print, default explain; -o json means json').choices(
          formats,
        ),
      )
      .option(
        '--check <signature>',
        'signature to check, computed elsewhere; needs --timestamp; exit 4 if it is wrong',
      ),
    [
      ['orgctl sign GET /quotas', 'everything, explained'],
      ['orgctl sign GET /quotas --format curl | sh', 'send the request with curl'],
      ['orgctl sign --check "$SIGNATURE" GET /quotas --timestamp 1700000000', 'why is it wrong?'],
    ],
    { exits: ['unauthenticated'] },
  ).action((method, target, options) => signRequest(method, target, options, context));
}

async function signRequest(
  method: string,
  target: string,
  flags: SignFlags,
  context: Pick<Context, 'settings' | 'printer' | 'textPrinter' | 'system' | 'stdin' | 'clock'>,
): Promise<void> {
  if (flags.check !== undefined) {
    assertCheckable(flags);
    return checkSignature(flags.check, await readRequestToSign(method, target, flags, context), context);
  }
  const request = await readRequestToSign(method, target, flags, context);
  const signed = await signedRequest(request, context);
  const printer = await context.printer();
  if (isInMilliseconds(request.timestamp)) await printer.warn(millisecondsWarning(request.timestamp));
  const { format } = flags;
  if (format === 'json') return (await context.textPrinter()).document(signedValue(signed));
  if (format === 'headers') return printer.text(headerLines(signed));
  if (format !== 'curl') return printer.prose(signedValue(signed), explanation(signed));
  const refusal = curlRefusal(signed);
  if (refusal !== undefined) throw refusal;
  return printer.text(toCurl(signed));
}

function millisecondsWarning(timestamp: string): string {
  return `--timestamp ${timestamp} is in milliseconds, but the service expects seconds: ${timestamp.slice(0, -3)}`;
}
