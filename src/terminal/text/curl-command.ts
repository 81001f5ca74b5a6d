import { isUtf8 } from 'node:buffer';
import { quoteForShell } from '../../text/shell-quote.js';
import { sanitizeLines } from './sanitize.js';

/** Linux accepts no single argument of 128 KiB or more. */
const longestArgument = 100 * 1024;

type CurlHeader = readonly [name: string, value: string];

interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly caFile?: string | undefined;
  readonly headers: readonly CurlHeader[];
  /** Headers with secrets, read from a here-document: all users of the machine can see a command's arguments. */
  readonly secretHeaders?: readonly CurlHeader[] | undefined;
  readonly body: Buffer | { readonly file: string };
}

/** A POSIX shell command that sends a request; ends with a line feed. */
export function curlCommand({ method, url, caFile, headers, secretHeaders = [], body }: CurlRequest): string {
  const isEmpty = Buffer.isBuffer(body) && body.length === 0;
  const isPiped = Buffer.isBuffer(body) && !isEmpty && !fitsArgument(body);
  // Without it, curl would send the content type of a form.
  const isTyped = isEmpty || headers.some(([name]) => name.toLowerCase() === 'content-type');
  const typed = isTyped ? headers : [...headers, ['Content-Type', ''] as const];
  const options = [
    // Without --globoff, curl reads [] and {} in the URL as patterns; --path-as-is keeps dot segments as signed.
    '--silent --show-error --globoff --path-as-is',
    // With --request HEAD, curl would wait for a body.
    method === 'HEAD' ? '--head' : `--request ${method}`,
    ...(caFile === undefined ? [] : [`--cacert ${quoteForShell(caFile)}`]),
    quoteForShell(url),
  ];
  const lines = [
    `${isPiped ? `printf '${printfFormat(body)}' | ` : ''}curl ${options.join(' ')}`,
    ...typed.map(([name, value]) => `--header ${quoteForShell(`${name}: ${value}`.trimEnd())}`),
    ...(isPiped ? ['--data-binary @-'] : isEmpty ? [] : [dataOption(body)]),
    ...(secretHeaders.length > 0 ? ["--header @/dev/fd/3 3<<'END'"] : []),
  ];
  const hereDocument = secretHeaders.map(([name, value]) => `${name}: ${value}\n`).join('');
  return `${lines.join(' \\\n  ')}\n${hereDocument === '' ? '' : `${hereDocument}END\n`}`;
}

/** Unlike --data, --data-raw does not take a leading @ for a file name. */
function dataOption(body: CurlRequest['body']): string {
  if (Buffer.isBuffer(body)) return `--data-raw ${quoteForShell(body.toString('utf8'))}`;
  return `--data-binary ${quoteForShell(`@${body.file}`)}`;
}

/** Whether a body is short enough for an argument, and text that survives being shown and copied. */
function fitsArgument(body: Buffer): boolean {
  const text = body.toString('utf8');
  return body.length <= longestArgument && isUtf8(body) && sanitizeLines(text) === text;
}

/** A format for printf. As a shell built-in, printf accepts any length and any bytes. */
function printfFormat(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[^\x20-\x7e]|[%\\']/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
