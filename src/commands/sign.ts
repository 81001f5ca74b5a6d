import { isUtf8 } from 'node:buffer';
import { resolve } from 'node:path';
import { systemStore } from '../api/option-values.js';
import { argument, command, option, repeatable } from '../cli/command.js';
import type { Context } from '../cli/context.js';
import { indentText } from '../cli/help-format.js';
import { ConfigError, ServiceError, UsageError } from '../errors/errors.js';
import { type BodyOptions, readTypedRequest } from '../input/request.js';
import { settings as table } from '../profiles/settings/settings.js';
import { basicAuthorization } from '../signing/basic/basic.js';
import { canonicalString, signedHeaders, verifySignature } from '../signing/hmac/signature.js';
import { isInMilliseconds, parseTimestamp, timestampOf } from '../signing/hmac/timestamp.js';
import { explainMismatch } from '../signing/mistakes/explain-mismatch.js';
import { curlCommand } from '../terminal/text/curl-command.js';

export const sign = command({
  description:
    'Sign a request without sending it: print the canonical string, the headers and a curl command. With --check, diagnose a wrong signature: name the mistake and the fix.',
  args: [
    argument('<method>', 'GET, POST, PATCH, DELETE …'),
    argument('<target>', "path and query, such as /quotas; appended to the base URL's path as typed"),
  ],
  options: [
    option('-d, --data <body>', 'the body: text, @file, or - for stdin', { conflicts: ['field'] }),
    repeatable('-f, --field <k=v>', 'field of the JSON body, or of the query of a GET; k:=v for JSON'),
    option('--content-type <type>', "content type of the body, or '' for none; default application/json"),
    option('--timestamp <seconds>', 'time to sign for; default now'),
    option('--format <format>', 'what to print; default explain, or json with -o json', {
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
    const signed = await signedRequest(request, context);
    const printer = await context.printer();
    if (format === 'json') return (await context.textPrinter()).document(signedValue(signed));
    if (format === 'headers') return printer.text(headerLines(signed));
    if (format !== 'curl') return printer.prose(signedValue(signed), explanation(signed));
    if (signed.url !== undefined) return printer.text(toCurl(signed));
    const hint = 'give one: --base-url https://… or --profile NAME';
    throw new ConfigError('no base URL is set', { hint });
  },
});

type RequestToSign = Awaited<ReturnType<typeof readRequest>>;

interface SignFlags extends BodyOptions {
  readonly contentType?: string | undefined;
  readonly timestamp?: string | undefined;
}

async function readRequest(
  typedMethod: string,
  typedTarget: string,
  { timestamp, contentType: given, ...flags }: SignFlags,
  context: Context,
) {
  if (timestamp !== undefined && parseTimestamp(timestamp) === undefined)
    throw new UsageError(`--timestamp ${timestamp}: not Unix time in seconds`);
  // Empty for no content type, or a field value (RFC 9110, section 5.5) in ASCII, without a space at either end.
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
async function checkSignature(signature: string, request: RequestToSign, context: Context): Promise<void> {
  const settings = context.settings();
  const { keyId, secret } = await settings.credential();
  const base = (await settings.baseUrl())?.value;
  const signed = { ...signableBelow(base?.prefix, request), origin: base?.origin, keyId };
  const printer = await context.printer();
  // A timestamp in milliseconds is wrong even if signed correctly.
  if (!isInMilliseconds(request.timestamp) && verifySignature(secret, signed, signature))
    return printer.prose({ matches: true }, 'the signature matches\n');
  const { mistake, reason } = explainMismatch({ secret, request: signed, signature });
  const value = { matches: false, mistake };
  await printer.prose(value, canonicalSection('Expected', canonicalString(signed)));
  const unknown = {
    hint: 'compare the string above with what your client signed; known mistakes',
    next: ['orgctl', 'help', 'signing'],
  };
  const advice = mistake === undefined ? unknown : { hint: mistake.advice };
  throw new ServiceError('unauthenticated', `no match: ${reason}`, advice);
}

type SignedCall = Awaited<ReturnType<typeof signedRequest>>;

/** Signs offline with the effective credential; the base URL only supplies path and address. */
async function signedRequest(request: RequestToSign, context: Context) {
  const settings = context.settings();
  const credential = await settings.credential();
  const base = (await settings.baseUrl())?.value;
  const signable = signableBelow(base?.prefix, request);
  const caFile = (await settings.find(table.caFile))?.value;
  const isBasic = (await settings.auth()).value === 'basic';
  const { method, contentType, body } = request;
  return {
    ...{ method, contentType, body, target: signable.target },
    url: base && `${base.origin}${signable.target}`,
    // curl trusts the operating system's store by itself.
    caFile: caFile && caFile !== systemStore ? resolve(context.system.cwd(), caFile) : undefined,
    /** `undefined` in Basic mode, which signs nothing. */
    canonical: isBasic ? undefined : canonicalString(signable),
    authentication: isBasic
      ? { Authorization: basicAuthorization(credential) }
      : signedHeaders(credential, signable),
  };
}

/** The signed target includes the base URL's path. */
function signableBelow(prefix: string | undefined, request: RequestToSign) {
  const { target, contentType = '' } = request;
  return { ...request, target: `${prefix ?? ''}${target}`, contentType };
}

function listSignedHeaders({
  authentication,
  contentType,
}: SignedCall): readonly (readonly [name: string, value: string])[] {
  const typed: [string, string][] = contentType === undefined ? [] : [['Content-Type', contentType]];
  return [...Object.entries(authentication), ...typed];
}

/** A POSIX shell command that sends the request. Basic credentials contain the secret, so they are not arguments. */
function toCurl(signed: SignedCall): string {
  const { method, url = '', caFile, authentication, body } = signed;
  const isSecret = signed.canonical === undefined;
  const headers = listSignedHeaders(signed).filter(([name]) => !isSecret || !(name in authentication));
  const secretHeaders = isSecret ? Object.entries(authentication) : [];
  return curlCommand({ method, url, caFile, headers, secretHeaders, body });
}

function explanation(signed: SignedCall): string {
  const { canonical, url } = signed;
  const sections = [
    canonical === undefined
      ? 'Basic mode signs nothing: the header contains key ID and secret.\n'
      : canonicalSection('Canonical string', canonical),
    `Headers:\n${indentText(headerLines(signed), 2)}`,
    // Not indented, because that would also indent the body.
    url === undefined ? 'curl: none (no base URL is set)\n' : `curl:\n${toCurl(signed)}`,
  ];
  return sections.join('\n');
}

function canonicalSection(heading: string, canonical: Buffer): string {
  return `${heading} (${canonical.length} bytes; ⏎ is a line feed, ␍ a carriage return):\n${indentText(visibleLines(canonical), 2)}`;
}

// In a string that is not UTF-8, bytes above 7F become \xNN. The printer escapes control characters.
function visibleLines(canonical: Buffer): string {
  const text = isUtf8(canonical)
    ? canonical.toString('utf8')
    : canonical.toString('latin1').replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
  const lines = text.replaceAll('\r', '␍').replaceAll('\n', '⏎\n');
  return lines.endsWith('\n') ? lines : `${lines}\n`;
}

function headerLines(signed: SignedCall): string {
  return listSignedHeaders(signed)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

/** Bytes that are not UTF-8 are base64, in a field that says so. */
function signedValue(signed: SignedCall): object {
  const { method, url, target, canonical, body } = signed;
  return {
    method,
    url,
    target,
    ...(canonical && textOrBase64('canonicalString', canonical)),
    headers: Object.fromEntries(listSignedHeaders(signed)),
    ...(body.length > 0 && textOrBase64('body', body)),
  };
}

function textOrBase64(name: string, bytes: Buffer): Record<string, string> {
  return isUtf8(bytes) ? { [name]: bytes.toString('utf8') } : { [`${name}Base64`]: bytes.toString('base64') };
}
