import { isUtf8 } from 'node:buffer';
import type { RecordedExchange } from '../../api/control/recorded-exchange.js';
import { describeBytes, redactedHeader, redactedTarget, withoutSecrets } from '../../redaction/redact.js';
import { redactedJson } from '../../redaction/redact-json.js';
import { sentSecrets } from '../../redaction/sent-secrets.js';
import { decodeBody } from '../decode-body.js';
import type { KeptBody, ProxiedExchange } from '../exchange.js';
import type { RawHeaders } from '../service/headers.js';

/** Bytes of the largest body whose text is kept. */
const longestText = 256 * 1024;

/** An exchange as it is recorded, with everything masked but what is known to be harmless; `undefined` without an answer. */
export function toRecord(exchange: ProxiedExchange): RecordedExchange | undefined {
  const { method, response, requestHeaders, startedAt, milliseconds, outcome } = exchange;
  if (response === undefined || outcome !== 'passed') return undefined;
  const target = exchange.target.toString('latin1');
  const sent = toPairs(requestHeaders);
  const body = readWhole(exchange.requestBody, requestHeaders);
  const secrets = sentSecrets({ target, headers: Object.fromEntries(sent), ...(body && { body }) });
  const hide = (text: string) => withoutSecrets(text, secrets);
  return {
    recorded: 1,
    time: new Date(startedAt).toISOString(),
    method,
    target: redactedTarget(target),
    requestHeaders: redactPairs(sent),
    requestBody: recordBody(exchange.requestBody, requestHeaders, hide),
    status: response.status,
    headers: redactPairs(toPairs(response.headers)),
    body: recordBody(response.body, response.headers, hide),
    milliseconds: Math.round(milliseconds * 10) / 10,
  };
}

function toPairs(headers: RawHeaders): [string, string][] {
  return headers.flatMap((name, at) =>
    at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as [string, string]] : [],
  );
}

function redactPairs(pairs: readonly (readonly [string, string])[]): [string, string][] {
  return pairs.map(([name, value]) => [name, redactedHeader(name, value)]);
}

function readWhole({ bytes, isWhole }: KeptBody, headers: RawHeaders): Buffer | undefined {
  const decoded = isWhole ? decodeBody(bytes, headers) : undefined;
  return decoded !== undefined && decoded.length <= longestText ? decoded : undefined;
}

function recordBody(
  kept: KeptBody,
  headers: RawHeaders,
  hide: (text: string) => string,
): RecordedExchange['body'] {
  if (kept.length === 0) return null;
  const bytes = readWhole(kept, headers);
  if (bytes === undefined) return { bytes: kept.length, omitted: 'too large, or in another coding' };
  const text = isUtf8(bytes) ? bytes.toString('utf8') : '';
  if (!isJsonText(text)) return { bytes: kept.length, omitted: `not JSON (${describeBytes(bytes)})` };
  return { text: redactedJson(text, Number.POSITIVE_INFINITY, hide) };
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
