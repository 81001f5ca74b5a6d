import { isUtf8 } from 'node:buffer';
import { ConfigError, type OrgctlError, UsageError } from '../../errors.js';
import { sanitizeLines } from '../../terminal/sanitize.js';
import { headersOf, type SignedRequest } from './signed-request.js';

/** Linux takes no single argument of 128 KiB or more. */
const longestArgument = 100 * 1024;

/** Why there is no curl command for a request; `undefined` when there is one. */
export function curlRefusal({ url, method, body }: SignedRequest): OrgctlError | undefined {
  if (url === undefined) {
    return new ConfigError('no base URL is known, so there is no address to send to', {
      hint: 'give one: --base-url https://… or --profile NAME',
    });
  }
  if (method === 'HEAD' && body.length > 0) return new UsageError('curl sends no body with HEAD');
  return undefined;
}

/**
 * A command line for a POSIX shell that sends the request; it ends with a line feed. Basic credentials are the secret
 * itself, so curl reads them from a here-document: arguments can be seen by every user of the machine.
 */
export function curlCommand(signed: SignedRequest): string {
  const { authentication, body } = signed;
  const isSecret = signed.canonical === undefined;
  const headers = headersOf(signed).filter(([name]) => !isSecret || !(name in authentication));
  const piped = body.length > 0 && !fitsArgument(body);
  const lines = [
    `${piped ? `printf '${printfFormat(body)}' | ` : ''}curl ${options(signed).join(' ')}`,
    ...headers.map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    // --data-raw: a body that begins with @ is no file name.
    ...(body.length > 0 ? [piped ? '--data-binary @-' : `--data-raw ${quoted(body.toString('utf8'))}`] : []),
    ...(isSecret ? ["--header @/dev/fd/3 3<<'END'"] : []),
  ];
  const hereDocument = Object.entries(authentication).map(([name, value]) => `${name}: ${value}\n`);
  return `${lines.join(' \\\n  ')}\n${isSecret ? `${hereDocument.join('')}END\n` : ''}`;
}

function options({ method, url = '', caFile }: SignedRequest): string[] {
  return [
    // Without --globoff curl reads [] and {} in the URL as patterns; --path-as-is keeps dot segments as signed.
    '--silent --show-error --globoff --path-as-is',
    // With --request HEAD curl would wait for a body.
    method === 'HEAD' ? '--head' : `--request ${method}`,
    ...(caFile === undefined ? [] : [`--cacert ${quoted(caFile)}`]),
    quoted(url),
  ];
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
