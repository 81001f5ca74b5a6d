import { signatureHeader } from '../../signing/hmac/signature.js';
import { type Check, type Refusal, usualRemedies } from '../../signing/refusals/refusal.js';
import type { KeptExchange } from '../journal/kept-exchange.js';
import type { JournalDetail } from './control.js';

/** Kinds of checks that a correctly signed request passes. */
const credentialChecks: ReadonlySet<Check> = new Set([
  'credentials',
  'format',
  'key',
  'timestamp',
  'signature',
  'secret',
]);

/** Where the server is reached. */
export interface Destination {
  readonly url: string;
  readonly caFile?: string | undefined;
}

/** An entry with its response and remedy. */
export async function explainDetail(kept: KeptExchange, destination: Destination): Promise<JournalDetail> {
  const shown = kept.toEntry();
  const remedy = shown.refusal && (shown.refusal.remedy ?? usualRemedies[shown.refusal.check]);
  const refusal = shown.refusal && { ...shown.refusal, ...(remedy && { remedy }) };
  const entry = { ...shown, ...(refusal && { refusal }), response: kept.toResponse() };
  if (refusal === undefined || !credentialChecks.has(refusal.check)) return entry;
  return { ...entry, curl: await acceptedCurl(entry, refusal, kept.shownBody(), destination) };
}

/** A curl command that works once its placeholders are replaced: SIGNATURE, CREDENTIALS, KEY_ID or @BODY. */
async function acceptedCurl(
  { method, target, headers, keyId, time }: JournalDetail,
  { check }: Refusal,
  body: Buffer | undefined,
  { url, caFile }: Destination,
): Promise<string> {
  const { curlCommand } = await import('../../terminal/text/curl-command.js');
  const isBasic = headers['authorization'] !== undefined && headers['x-api-key'] === undefined;
  const sent = check === 'timestamp' ? undefined : headers['x-api-timestamp'];
  const signature: [string, string][] = [
    [signatureHeader.key, (check === 'key' ? undefined : keyId) ?? 'KEY_ID'],
    [signatureHeader.timestamp, sent ?? String(Math.floor(Date.parse(time) / 1000))],
    [signatureHeader.signature, 'SIGNATURE'],
  ];
  const hasBody = body === undefined || body.length > 0;
  const type: [string, string][] = hasBody
    ? [['Content-Type', headers['content-type'] ?? 'application/json']]
    : [];
  return curlCommand({
    method: method.toUpperCase(),
    url: `${url}${target}`,
    caFile,
    headers: [...(isBasic ? [] : signature), ...type],
    secretHeaders: isBasic ? [['Authorization', 'Basic CREDENTIALS']] : [],
    body: body ?? { file: 'BODY' },
  });
}
