import { isUtf8 } from 'node:buffer';
import { quoteForShell } from '../../text/shell-quote.js';
import { sanitizeLines } from './sanitize.js';

/** Linux accepts no single argument of 128 KiB or more. */
const longestArgument = 100 * 1024;

type CurlHeader = readonly [name: string, value: string];

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly caFile?: string | undefined;
  readonly headers: readonly CurlHeader[];
  /** Headers with secrets, read from a here-document: all users of the machine can see a command's arguments. */
  readonly secretHeaders?: readonly CurlHeader[] | undefined;
  readonly body: Buffer | { readonly file: string };
}

/** A POSIX shell command that sends a request; ends with a line feed. */
export function curlCommand(request: CurlRequest): string {
  const { headers, secretHeaders = [], body } = request;
  const piped = Buffer.isBuffer(body) && body.length > 0 && !fitsArgument(body);
  const lines = [
    `${piped ? `printf '${printfFormat(body)}' | ` : ''}curl ${options(request).join(' ')}`,
    ...[...headers, ...withoutType(request)].map(
      ([name, value]) => `--header ${quoteForShell(`${name}: ${value}`.trimEnd())}`,
    ),
    ...(piped ? ['--data-binary @-'] : toDataFlags(body)),
    ...(secretHeaders.length > 0 ? ["--header @/dev/fd/3 3<<'END'"] : []),
  ];
  const hereDocument = secretHeaders.map(([name, value]) => `${name}: ${value}\n`).join('');
  return `${lines.join(' \\\n  ')}\n${hereDocument === '' ? '' : `${hereDocument}END\n`}`;
}

/** For a body without a content type, with which curl would send that of a form. */
function withoutType({ headers, body }: CurlRequest): readonly CurlHeader[] {
  const isEmpty = Buffer.isBuffer(body) && body.length === 0;
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return isEmpty || isTyped ? [] : [['Content-Type', '']];
}

function options({ method, url, caFile }: CurlRequest): string[] {
  return [
    // Without --globoff, curl reads [] and {} in the URL as patterns; --path-as-is keeps dot segments as signed.
    '--silent --show-error --globoff --path-as-is',
    // With --request HEAD, curl would wait for a body.
    method === 'HEAD' ? '--head' : `--request ${method}`,
    ...(caFile === undefined ? [] : [`--cacert ${quoteForShell(caFile)}`]),
    quoteForShell(url),
  ];
}

function toDataFlags(body: CurlRequest['body']): string[] {
  if (!Buffer.isBuffer(body)) return [`--data-binary ${quoteForShell(`@${body.file}`)}`];
  // Unlike --data, --data-raw does not take a leading @ for a file name.
  return body.length === 0 ? [] : [`--data-raw ${quoteForShell(body.toString('utf8'))}`];
}

/** Whether a body is short enough for an argument, and text that survives being shown and copied. */
function fitsArgument(body: Buffer): boolean {
  if (body.length > longestArgument || !isUtf8(body)) return false;
  const text = body.toString('utf8');
  return sanitizeLines(text) === text;
}

/** A format for printf. As a shell built-in, printf accepts any length and any bytes. */
function printfFormat(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[^\x20-\x7e]|[%\\']/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
