import { createHash } from 'node:crypto';
import { hasHarmlessForm, isHarmlessField, isKeyId, kindOfHeader } from './harmless.js';

export const mask = '********';

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, mask)), text);
}

/** Masks a header's value, except key IDs, the scheme of Authorization and harmless values. */
export function redactedHeader(name: string, value: string): string {
  const lower = name.toLowerCase();
  if (lower === 'x-api-key') return isKeyId(value) ? value : mask;
  if (lower === 'authorization') return `${/^(?:basic|bearer) /i.exec(value)?.[0] ?? ''}${mask}`;
  const kind = kindOfHeader(lower);
  if (kind === undefined) return mask;
  return kind === 'url' ? redactedTarget(value) : hideUrlCredentials(value);
}

/** Masks credentials in the path, and parameters unless they are harmless. */
export function redactedTarget(target: string): string {
  const end = target.search(/[?#]/);
  if (end === -1) return redactedEncoded(target, hideUrlCredentials);
  const parameters = target.slice(end).replace(/[^?&#]+/g, redactedParameter);
  return `${redactedEncoded(target.slice(0, end), hideUrlCredentials)}${parameters}`;
}

function redactedParameter(parameter: string): string {
  const equals = parameter.indexOf('=');
  const name = equals === -1 ? parameter : parameter.slice(0, equals);
  if (!isHarmlessField(name)) return equals === -1 ? mask : `${redactedText(name)}=${mask}`;
  if (equals === -1) return name;
  const shown = (text: string) => (hasHarmlessForm(name, text) ? redactedText(text) : mask);
  return `${name}=${redactedEncoded(parameter.slice(equals + 1), shown)}`;
}

/** Masks the whole text if `redact` would mask a part of the percent-decoded text. */
function redactedEncoded(text: string, redact: (text: string) => string): string {
  if (!text.includes('%')) return redact(text);
  const decoded = text.replace(/%[0-7][0-9a-f]/gi, (encoded) =>
    String.fromCharCode(Number.parseInt(encoded.slice(1), 16)),
  );
  return redact(decoded) === decoded ? redact(text) : mask;
}

/** Whether a field with a plain value may be shown. */
export function isHarmless(name: string, value: unknown): boolean {
  if (!isHarmlessField(name) || (typeof value === 'object' && value !== null)) return false;
  return typeof value !== 'string' || (hasHarmlessForm(name, value) && redactedText(value) === value);
}

export function redactedText(text: string): string {
  const plain = hideUrlCredentials(text);
  // The text may contain settings, such as libpq's `host=db password=…`.
  const equals = plain.indexOf('=');
  return equals === -1 ? plain : `${plain.slice(0, equals + 1)}${mask}`;
}

// Secrets and signatures are this long; labels of host names are shorter.
const secretShaped = /[A-Za-z0-9_-]{64,}/g;

/** Masks credentials in URLs, from the first colon to the last `@`, and words at least as long as a secret. */
function hideUrlCredentials(text: string): string {
  const at = text.lastIndexOf('@');
  const colon = text.indexOf(':');
  const start = text.startsWith('://', colon) ? colon + 3 : colon + 1;
  const plain = start === 0 || start > at ? text : `${text.slice(0, start)}${mask}${text.slice(at)}`;
  return plain.length < 64 ? plain : plain.replace(secretShaped, mask);
}

/** Size and part of the hash: enough to recognize data, too little to confirm a guessed password in it. */
export function describeBytes(bytes: Uint8Array): string {
  const hash = createHash('sha256').update(bytes).digest('hex');
  return `${bytes.byteLength} byte${bytes.byteLength === 1 ? '' : 's'}, sha256 ${hash.slice(0, 4)}…`;
}
