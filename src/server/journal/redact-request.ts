import { isUtf8 } from 'node:buffer';
import { redactedHeader, redactedTarget, redactedValue } from '../../contract/redact.js';
import { maskSecrets } from '../../signing/visible-canonical.js';
import { claimedKeyId } from '../explain/key-name.js';
import { complaintAbout } from '../json-body.js';

const mask = '********';

// What secrets and signatures look like (reference, sections 2 and 5), wherever they stand.
const secretShaped = /[0-9a-f]{64,}/gi;

/** A request target that may be shown. */
export function redactedPath(target: string): string {
  return redactedTarget(target).replace(secretShaped, mask);
}

/** The headers of a request, name and value by turns, as they may be shown. */
export function redactedHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = shownHeader(name, rawHeaders[at + 1] ?? '');
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

function shownHeader(name: string, value: string): string {
  // What is no key ID may be a secret in the wrong place.
  if (name === 'x-api-key') return claimedKeyId(value) ?? mask;
  return redactedHeader(name, value).replace(secretShaped, mask);
}

/** A body as it may be shown: the JSON value, or text that is none, or words for what is neither. */
export function redactedBody(body: Buffer): unknown {
  if (!isUtf8(body)) return '(not UTF-8 text)';
  const text = body.toString('utf8');
  const json = parsed(text);
  if (json === undefined) return maskSecrets(text).replace(secretShaped, mask);
  const complaint = complaintAbout(json.value);
  if (complaint !== undefined) return `(JSON that ${complaint})`;
  return withoutSecretShapes(withoutConfig(redactedValue(json.value)));
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const openSettings = new Set(['host', 'port', 'database', 'user', 'ssl']);

/** A connection's settings beside PostgreSQL's own may be secrets under any name. */
function withoutConfig(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('config' in value)) return value;
  const { config } = value;
  if (typeof config !== 'object' || config === null) return { ...value, config: mask };
  const shown = Object.entries(config).map(([name, setting]) => [
    name,
    openSettings.has(name) ? setting : mask,
  ]);
  return { ...value, config: Object.fromEntries(shown) };
}

function withoutSecretShapes(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(secretShaped, mask);
  if (Array.isArray(value)) return value.map(withoutSecretShapes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutSecretShapes(field)]));
}
