import { isUtf8 } from 'node:buffer';
import type { RecordedExchange } from '../../api/control/recorded-exchange.js';
import { describeBytes, withoutSecrets } from '../../redaction/redact.js';
import { redactedJson, type ShownForms } from '../../redaction/redact-json.js';
import { sentSecrets } from '../../redaction/sent-secrets.js';
import { decodeBody } from '../decode-body.js';
import type { KeptBody, ProxiedExchange } from '../exchange.js';
import { findValues, type RawHeaders, via } from '../service/headers.js';
import {
  dropShownParameters,
  MaskedCursors,
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
 * @param cursors the placeholders of the whole recording
 */
export function toRecord(
  exchange: ProxiedExchange,
  service: string,
  cursors = new MaskedCursors(),
): RecordedExchange | undefined {
  const { method, response, requestHeaders, startedAt, milliseconds, outcome } = exchange;
  if (response === undefined || outcome !== 'passed') return undefined;
  const target = exchange.target.toString('latin1');
  const sent = toPairs(requestHeaders);
  const body = readWhole(exchange.requestBody, requestHeaders);
  const secrets = sentSecrets({
    target: dropShownParameters(target),
    headers: Object.fromEntries(
      sent.filter(([name, value]) => redactFormHeader(name, value, cursors) !== value),
    ),
    ...(body && { body }),
  });
  const hide = (text: string) => withoutSecrets(text, secrets);
  const redaction = { hide, forms: recordForms(cursors) };
  return {
    recorded: 1,
    service,
    time: new Date(startedAt).toISOString(),
    method,
    target: redactFormTarget(target, cursors),
    requestHeaders: redactPairs(sent, cursors),
    requestBody: recordBody(exchange.requestBody, requestHeaders, redaction),
    status: response.status,
    headers: redactPairs(toPairs(withoutOwnVia(response.headers)), cursors),
    body: recordBody(response.body, response.headers, redaction, response.status >= 400),
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

function redactPairs(
  pairs: readonly (readonly [string, string])[],
  cursors: MaskedCursors,
): [string, string][] {
  return pairs.map(([name, value]) => [name, redactFormHeader(name, value, cursors)]);
}

function readWhole({ bytes, isWhole }: KeptBody, headers: RawHeaders): Buffer | undefined {
  const decoded = isWhole ? decodeBody(bytes, headers) : undefined;
  return decoded !== undefined && decoded.length <= longestText ? decoded : undefined;
}

function recordBody(
  kept: KeptBody,
  headers: RawHeaders,
  { hide, forms }: { readonly hide: (text: string) => string; readonly forms: ShownForms },
  isErrorText = false,
): RecordedExchange['body'] {
  if (kept.length === 0) return null;
  const bytes = readWhole(kept, headers);
  if (bytes === undefined) return { bytes: kept.length, omitted: 'too large, or in another coding' };
  const text = isUtf8(bytes) ? bytes.toString('utf8') : '';
  if (isErrorText && isPlainText(headers)) return { text: redactErrorText(text) };
  if (!isJsonText(text)) return { bytes: kept.length, omitted: `not JSON (${describeBytes(bytes)})` };
  return { text: redactedJson(text, Number.POSITIVE_INFINITY, hide, forms) };
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
