import { isUtf8 } from 'node:buffer';
import { sanitizeLines } from './sanitize.js';

/** Linux takes no single argument of 128 KiB or more. */
const longestArgument = 100 * 1024;

type Header = readonly [name: string, value: string];

/** A request as curl is to send it. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  /** The CAs to trust in addition to the system's. */
  readonly caFile?: string | undefined;
  readonly headers: readonly Header[];
  /** Headers that hold a secret: read from a here-document, since every user of the machine sees arguments. */
  readonly secretHeaders?: readonly Header[] | undefined;
  /** Empty for none; or the name of a file that stands for it. */
  readonly body: Buffer | { readonly file: string };
}

/** A command line for a POSIX shell that sends a request; it ends with a line feed. */
export function curlCommand(request: CurlRequest): string {
  const { headers, secretHeaders = [], body } = request;
  const piped = Buffer.isBuffer(body) && body.length > 0 && !fitsArgument(body);
  const lines = [
    `${piped ? `printf '${printfFormat(body)}' | ` : ''}curl ${options(request).join(' ')}`,
    ...headers.map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(piped ? ['--data-binary @-'] : dataOf(body)),
    ...(secretHeaders.length > 0 ? ["--header @/dev/fd/3 3<<'END'"] : []),
  ];
  const hereDocument = secretHeaders.map(([name, value]) => `${name}: ${value}\n`).join('');
  return `${lines.join(' \\\n  ')}\n${hereDocument === '' ? '' : `${hereDocument}END\n`}`;
}

function options({ method, url, caFile }: CurlRequest): string[] {
  return [
    // Without --globoff curl reads [] and {} in the URL as patterns; --path-as-is keeps dot segments as signed.
    '--silent --show-error --globoff --path-as-is',
    // With --request HEAD curl would wait for a body.
    method === 'HEAD' ? '--head' : `--request ${method}`,
    ...(caFile === undefined ? [] : [`--cacert ${quoted(caFile)}`]),
    quoted(url),
  ];
}

function dataOf(body: CurlRequest['body']): string[] {
  if (!Buffer.isBuffer(body)) return [`--data-binary ${quoted(`@${body.file}`)}`];
  // --data-raw: a body that begins with @ is no file name.
  return body.length === 0 ? [] : [`--data-raw ${quoted(body.toString('utf8'))}`];
}

/** Whether a body can be written out: as text that survives being shown and copied. */
function fitsArgument(body: Buffer): boolean {
  if (body.length > longestArgument || !isUtf8(body)) return false;
  const text = body.toString('utf8');
  return sanitizeLines(text) === text;
}

// In single quotes of a POSIX shell nothing is special but their end; one inside is closed, escaped and opened again.
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Any bytes as a format of POSIX printf. It is built into the shell, and so takes a format of any length. */
function printfFormat(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[^\x20-\x7e]|[%\\']/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
