import { isUtf8 } from 'node:buffer';
import { deepestJson, isDeeperThan, tryParseJson } from '../../text/exact-json.js';

/** Bytes; what more JSON says may need more memory than the process has. */
export const maxJsonBytes = 16 * 1024 * 1024;

type JsonBody = { readonly value: unknown } | { readonly fault: string };

/**
 * Reads UTF-8, and ignores a byte order mark, as RFC 8259, section 8.1, allows. Returns a `fault` instead of throwing,
 * because only callers know whether it is an error.
 */
export function readJson(body: Buffer, most = maxJsonBytes): JsonBody {
  if (body.length === 0) return { fault: 'empty' };
  if (body.length > most) return { fault: `larger than the ${most / 2 ** 20} MiB that are read as JSON` };
  if (!isUtf8(body)) return { fault: 'not JSON' };
  const value = tryParseJson(new TextDecoder().decode(body));
  if (value === undefined) return { fault: 'not JSON' };
  return isDeeperThan(deepestJson, value) ? { fault: `nested deeper than ${deepestJson} levels` } : { value };
}

export function readJsonValue(body: Buffer): unknown {
  const json = readJson(body);
  return 'value' in json ? json.value : undefined;
}

export function shorten(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
