import { type Check, usualRemedies } from '../../signing/refusals/refusal.js';
import type { Destination } from '../explain/accepted-curl.js';
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

export async function explainDetail(kept: KeptExchange, destination: Destination): Promise<JournalDetail> {
  const shown = kept.toEntry();
  const remedy = shown.refusal && (shown.refusal.remedy ?? usualRemedies[shown.refusal.check]);
  const refusal = shown.refusal && { ...shown.refusal, ...(remedy && { remedy }) };
  const entry = { ...shown, ...(refusal && { refusal }), response: kept.toResponse() };
  const { headers } = entry;
  if (refusal === undefined || !credentialChecks.has(refusal.check)) return entry;
  const { acceptedCurl } = await import('../explain/accepted-curl.js');
  const sent = headers['x-api-timestamp'];
  const isTimely = sent !== undefined && refusal.check !== 'timestamp';
  const curl = acceptedCurl(
    {
      ...entry,
      keyId: refusal.check === 'key' ? undefined : entry.keyId,
      timestamp: isTimely ? sent : String(Math.floor(Date.parse(entry.time) / 1000)),
      contentType: headers['content-type'],
      body: kept.shownBody(),
      isBasic: headers['authorization'] !== undefined && headers['x-api-key'] === undefined,
    },
    destination,
  );
  return { ...entry, curl };
}
