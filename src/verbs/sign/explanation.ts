import { isUtf8 } from 'node:buffer';
import { indented } from '../../cli/help-format.js';
import { curlOf, curlRefusal, headersOf, type SignedRequest } from './signed-request.js';

/** What is signed and what is sent, for people. */
export function explanation(signed: SignedRequest): string {
  const { canonical } = signed;
  const refusal = curlRefusal(signed);
  const sections = [
    canonical === undefined
      ? 'Basic mode signs nothing: the header holds key ID and secret.\n'
      : canonicalSection('Canonical string', canonical),
    `Headers:\n${indented(headerLines(signed), 2)}`,
    // Not indented, since that would also indent the lines of a body.
    refusal === undefined ? `curl:\n${curlOf(signed)}` : `curl: none, since ${refusal.message}\n`,
  ];
  return sections.join('\n');
}

/** A canonical string with its line ends visible, below a heading. */
export function canonicalSection(heading: string, canonical: Buffer): string {
  return `${heading} (${canonical.length} bytes; ⏎ is a line feed, ␍ a carriage return):\n${indented(visibleLines(canonical), 2)}`;
}

// Bytes that are not UTF-8 are shown as \xNN; control characters are the terminal's business.
function visibleLines(canonical: Buffer): string {
  const text = isUtf8(canonical)
    ? canonical.toString('utf8')
    : canonical.toString('latin1').replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
  const lines = text.replaceAll('\r', '␍').replaceAll('\n', '⏎\n');
  return lines.endsWith('\n') ? lines : `${lines}\n`;
}

/** The headers as an HTTP message has them. */
export function headerLines(signed: SignedRequest): string {
  return headersOf(signed)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

/** A signed request as data. Bytes that are not UTF-8 are in base64, under a name that says so. */
export function signedValue(signed: SignedRequest): object {
  const { method, url, target, canonical, body } = signed;
  return {
    method,
    url,
    target,
    ...(canonical && textOrBase64('canonicalString', canonical)),
    headers: Object.fromEntries(headersOf(signed)),
    ...(body.length > 0 && textOrBase64('body', body)),
  };
}

function textOrBase64(name: string, bytes: Buffer): Record<string, string> {
  return isUtf8(bytes) ? { [name]: bytes.toString('utf8') } : { [`${name}Base64`]: bytes.toString('base64') };
}
