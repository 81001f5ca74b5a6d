import { isUtf8 } from 'node:buffer';
import { indentText } from '../../cli/help-format.js';
import { curlRefusal, listSignedHeaders, type SignedCall, toCurl } from './signed-call.js';

export function explanation(signed: SignedCall): string {
  const { canonical } = signed;
  const refusal = curlRefusal(signed);
  const sections = [
    canonical === undefined
      ? 'Basic mode signs nothing: the header contains key ID and secret.\n'
      : canonicalSection('Canonical string', canonical),
    `Headers:\n${indentText(headerLines(signed), 2)}`,
    // Not indented, because that would also indent the body.
    refusal === undefined ? `curl:\n${toCurl(signed)}` : `curl: none (${refusal.message})\n`,
  ];
  return sections.join('\n');
}

export function canonicalSection(heading: string, canonical: Buffer): string {
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

export function headerLines(signed: SignedCall): string {
  return listSignedHeaders(signed)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

/** A signed request as data. Bytes that are not UTF-8 are base64, in a field that says so. */
export function signedValue(signed: SignedCall): object {
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
