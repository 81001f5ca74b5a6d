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
  readonly body: Buffer;
}

/** A POSIX shell command that sends a request; ends with a line feed. */
export function curlCommand({ method, url, caFile, headers, secretHeaders = [], body }: CurlRequest): string {
  const isEmpty = body.length === 0;
  const isPiped = !isEmpty && !fitsArgument(body);
  const isTyped = isEmpty || headers.some(([name]) => name.toLowerCase() === 'content-type');
  // Otherwise, curl would send the content type of a form.
  const typed = isTyped ? headers : [...headers, ['Content-Type', ''] as const];
  const options = [
    // Without --globoff, curl reads [] and {} in the URL as patterns; --path-as-is keeps dot segments as signed.
    '--silent --show-error --globoff --path-as-is',
    // With --request HEAD, curl would wait for a body.
    method === 'HEAD' ? '--head' : `--request ${method}`,
    ...(caFile === undefined ? [] : [`--cacert ${quoteForShell(caFile)}`]),
    quoteForShell(url),
  ];
  // Unlike --data, --data-raw does not take a leading @ for a file name.
  const dataOption = isPiped ? '--data-binary @-' : `--data-raw ${quoteForShell(body.toString('utf8'))}`;
  const lines = [
    `${isPiped ? `printf '${printfFormat(body)}' | ` : ''}curl ${options.join(' ')}`,
    ...typed.map(([name, value]) => `--header ${quoteForShell(`${name}: ${value}`.trimEnd())}`),
    ...(isEmpty ? [] : [dataOption]),
    ...(secretHeaders.length > 0 ? ["--header @/dev/fd/3 3<<'END'"] : []),
  ];
  const hereDocument = secretHeaders.map(([name, value]) => `${name}: ${value}\n`).join('');
  return `${lines.join(' \\\n  ')}\n${hereDocument === '' ? '' : `${hereDocument}END\n`}`;
}

/** Whether a body can be an argument: short text that survives being shown and copied. */
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
