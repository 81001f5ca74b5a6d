import { isUtf8 } from 'node:buffer';
import type { RecordedExchange } from '../../api/control/recorded-exchange.js';
import { describeBytes, withoutSecrets } from '../../redaction/redact.js';
import { redactedJson } from '../../redaction/redact-json.js';
import { sentSecrets } from '../../redaction/sent-secrets.js';
import { decodeBody } from '../decode-body.js';
import type { KeptBody, ProxiedExchange } from '../exchange.js';
import { findValues, type RawHeaders, via } from '../service/headers.js';
import {
  dropShownParameters,
  recordForms,
  redactErrorText,
  redactFormHeader,
  redactFormTarget,
} from './record-forms.js';

/** Maximum bytes of a recorded body, after decoding. */
const longestText = 256 * 1024;

/**
 * The record of an exchange, masked except for harmless values; `undefined` unless the client got the whole response.
 * @param service the service's base URL
 */
export function toRecord(exchange: ProxiedExchange, service: string): RecordedExchange | undefined {
  const { method, response, requestHeaders, startedAt, milliseconds, outcome } = exchange;
  if (response === undefined || outcome !== 'passed') return undefined;
  const target = exchange.target.toString('latin1');
  const sent = toPairs(requestHeaders);
  const body = readWhole(exchange.requestBody, requestHeaders);
  const secrets = sentSecrets({
    target: dropShownParameters(target),
    headers: Object.fromEntries(sent.filter(([name, value]) => redactFormHeader(name, value) !== value)),
    ...(body && { body }),
  });
  const hide = (text: string) => withoutSecrets(text, secrets);
  return {
    recorded: 1,
    service,
    time: new Date(startedAt).toISOString(),
    method,
    target: redactFormTarget(target),
    requestHeaders: redactPairs(sent),
    requestBody: recordBody(exchange.requestBody, requestHeaders, hide),
    status: response.status,
    headers: redactPairs(toPairs(withoutOwnVia(response.headers))),
    body: recordBody(response.body, response.headers, hide, response.status >= 400),
    milliseconds: Math.round(milliseconds * 10) / 10,
  };
}

/** Drops the `Via` that the proxy added at the end; others come from the service. */
function withoutOwnVia(headers: RawHeaders): RawHeaders {
  const isOwn = headers.at(-2) === via[0] && headers.at(-1) === via[1];
  return isOwn ? headers.slice(0, -2) : headers;
}

function toPairs(headers: RawHeaders): [string, string][] {
  return headers.flatMap((name, at) =>
    at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as [string, string]] : [],
  );
}

function redactPairs(pairs: readonly (readonly [string, string])[]): [string, string][] {
  return pairs.map(([name, value]) => [name, redactFormHeader(name, value)]);
}

function readWhole({ bytes, isWhole }: KeptBody, headers: RawHeaders): Buffer | undefined {
  const decoded = isWhole ? decodeBody(bytes, headers) : undefined;
  return decoded !== undefined && decoded.length <= longestText ? decoded : undefined;
}

function recordBody(
  kept: KeptBody,
  headers: RawHeaders,
  hide: (text: string) => string,
  isErrorText = false,
): RecordedExchange['body'] {
  if (kept.length === 0) return null;
  const bytes = readWhole(kept, headers);
  if (bytes === undefined) return { bytes: kept.length, omitted: 'too large, or in another coding' };
  const text = isUtf8(bytes) ? bytes.toString('utf8') : '';
  if (isErrorText && isPlainText(headers)) return { text: redactErrorText(text) };
  if (!isJsonText(text)) return { bytes: kept.length, omitted: `not JSON (${describeBytes(bytes)})` };
  return { text: redactedJson(text, Number.POSITIVE_INFINITY, hide, recordForms) };
}

function isPlainText(headers: RawHeaders): boolean {
  return /^text\/plain\b/i.test(findValues(headers, 'content-type').join());
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
