import { argument, command, option, repeatable } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { ServiceError, UsageError } from '../../errors/errors.js';
import { type BodyOptions, readTypedRequest } from '../../input/request.js';
import { canonicalString, verifySignature } from '../../signing/hmac/signature.js';
import { isInMilliseconds, parseTimestamp, timestampOf } from '../../signing/hmac/timestamp.js';
import { explainMismatch } from '../../signing/mistakes/explain-mismatch.js';
import * as call from './signed-call.js';

export const sign = command({
  description:
    'Sign a request without sending it: print the canonical string, the headers and a curl command. With --check, diagnose a wrong signature: name the mistake and the fix.',
  args: [
    argument('<method>', 'GET, POST, PATCH, DELETE …'),
    argument('<target>', 'path and query below the base URL, such as /quotas; signed as typed'),
  ],
  options: [
    option('-d, --data <body>', 'the body: text, @file, or - for stdin', { conflicts: ['field'] }),
    repeatable('-f, --field <k=v>', 'field of the JSON body, or of the query of a GET; k:=v for JSON'),
    option('--content-type <type>', "content type of the body, or '' for none; default application/json"),
    option('--timestamp <seconds>', 'time to sign for; default now'),
    option('--format <format>', 'what to print, default explain; -o json means json', {
      choices: ['explain', 'headers', 'json', 'curl'],
    }),
    option('--check <signature>', 'signature to check; needs --timestamp; exit 4 if it is wrong', {
      conflicts: ['format'],
    }),
  ],
  examples: [
    ['orgctl sign GET /quotas', 'everything, explained'],
    ['orgctl sign GET /quotas --format curl | sh', 'send the request with curl'],
    ['orgctl sign --check "$SIGNATURE" GET /quotas --timestamp 1700000000', 'why is it wrong?'],
  ],
  exits: ['unauthenticated'],
  async run(context, [method, target], { format, check, ...given }) {
    if (check !== undefined && given.timestamp === undefined)
      throw new UsageError('--check needs the signed timestamp', {
        hint: 'the value of X-API-Timestamp: --timestamp 1700000000',
      });
    const request = await readRequest(method, target, given, context);
    if (check !== undefined) return checkSignature(check, request, context);
    const signed = await call.signedRequest(request, context);
    const printer = await context.printer();
    const { timestamp } = request;
    if (isInMilliseconds(timestamp)) {
      const seconds = timestamp.slice(0, -3);
      const what = `--timestamp ${timestamp} is in milliseconds, but the service expects seconds: ${seconds}`;
      await printer.warn(what);
    }
    if (format === 'json') return (await context.textPrinter()).document(call.signedValue(signed));
    if (format === 'headers') return printer.text(call.headerLines(signed));
    if (format !== 'curl') return printer.prose(call.signedValue(signed), call.explanation(signed));
    const refusal = call.curlRefusal(signed);
    if (refusal !== undefined) throw refusal;
    return printer.text(call.toCurl(signed));
  },
});

interface SignFlags extends BodyOptions {
  readonly contentType?: string | undefined;
  readonly timestamp?: string | undefined;
}

async function readRequest(
  typedMethod: string,
  typedTarget: string,
  { timestamp, contentType: given, ...flags }: SignFlags,
  context: Context,
): Promise<call.RequestToSign> {
  if (timestamp !== undefined && parseTimestamp(timestamp) === undefined) {
    throw new UsageError(`--timestamp ${timestamp}: not Unix time in seconds`, {
      hint: 'date +%s prints the current time',
    });
  }
  // Empty, for none, or a field value of RFC 9110, section 5.5, in ASCII, without a space at either end.
  if (given !== undefined && !/^([\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?)?$/.test(given))
    throw new UsageError(`--content-type ${JSON.stringify(given)}: not a valid header value`);
  const typed = await readTypedRequest(typedMethod, typedTarget, flags, context);
  const { method, target, body } = typed;
  const contentType = (given ?? (body === undefined ? '' : 'application/json')) || undefined;
  return {
    ...{ method, target, contentType, body: body ?? Buffer.alloc(0) },
    timestamp: timestamp ?? timestampOf(context.clock()),
  };
}

/** Never shows the right signature. @throws ServiceError `unauthenticated` */
async function checkSignature(
  signature: string,
  request: call.RequestToSign,
  context: Context,
): Promise<void> {
  const settings = context.settings();
  const { keyId, secret } = await settings.credential();
  const base = (await settings.baseUrl())?.value;
  const signed = { ...call.signableBelow(base?.prefix, request), origin: base?.origin, keyId };
  const printer = await context.printer();
  // A timestamp in milliseconds is wrong even if signed correctly.
  if (!isInMilliseconds(request.timestamp) && verifySignature(secret, signed, signature))
    return printer.prose({ matches: true }, 'the signature matches\n');
  const { mistake, reason } = explainMismatch({ secret, request: signed, signature });
  const value = { matches: false, mistake };
  await printer.prose(value, call.canonicalSection('Expected', canonicalString(signed)));
  const unknown = {
    hint: 'compare the string above with what your client signed; known mistakes',
    next: ['orgctl', 'help', 'signing'],
  };
  const advice = mistake === undefined ? unknown : { hint: mistake.advice };
  throw new ServiceError('unauthenticated', `no match: ${reason}`, advice);
}
