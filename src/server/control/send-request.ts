import { randomUUID, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { urlToHttpOptions } from 'node:url';
import { controlInputs } from '../../api/control/control.js';
import type { z } from '../../api/schema/schema.js';
import { readMessage } from '../../errors/errors.js';
import { signedHeaders } from '../../signing/index.js';
import type { Remedy } from '../../signing/refusals/refusal.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import { badRequest, HttpError } from '../http/answer.js';
import { conforming } from '../http/body.js';
import type { Exchange } from '../journal/entry.js';
import type { Service } from '../service.js';
import { type Controlled, detailOf, requireEntry, requireKey, requireOrganization } from './controlled.js';

type RequestToSend = z.output<(typeof controlInputs)['requests.send']>;

const markHeader = 'X-Request-ID';

/** Milliseconds; longer than most delays by faults. */
const patience = 30_000;

/** Signs a request and sends it to this server's own listener. @throws HttpError 400, 404, 409 or 502 */
export async function sendRequest(given: RequestToSend, { service, journal, status }: Controlled) {
  const kept = given.replay === undefined ? undefined : requireEntry(journal, given.replay);
  const before = kept?.exchange;
  const remedy = given.fix && kept ? detailOf(kept).refusal?.remedy : undefined;
  const parts = toParts(given, before, remedy, service);
  const key = await chooseKey(given, before, remedy?.step === 'enable-key', service);
  await changeService(remedy, key, service);
  const timestamp = String(Math.floor(service.clock() / 1000));
  const mark = randomUUID();
  const headers = {
    ...signedHeaders(key, { ...parts, target: service.targets.toSigned(parts.target), timestamp }),
    ...(parts.contentType !== '' && { 'Content-Type': parts.contentType }),
    'Content-Length': String(parts.body.byteLength),
    [markHeader]: mark,
  };
  const outcome = await exchange(parts, headers, status().url, service).catch(readMessage);
  const sent = journal.findByHeader(markHeader, mark);
  if (sent === undefined) throw new HttpError(502, `The request did not reach the service: ${outcome}`);
  return detailOf(sent);
}

/** Each part is from the input, else the remedy, else the journal. */
function toParts(
  given: RequestToSend,
  before: Exchange | undefined,
  remedy: Remedy | undefined,
  { targets }: Service,
) {
  const edit: { path?: string; method?: string } = remedy?.step === 'edit' ? remedy : {};
  const [path = ''] = before?.target.split('?') ?? [];
  // Keeps the base path and the query.
  const edited = edit.path && before?.target.replace(targets.toLocal(path), () => edit.path ?? '');
  const { method = 'GET', target = '/' } = conforming(controlInputs['requests.send'], {
    method: given.method ?? edit.method ?? before?.method,
    target: given.target ?? edited ?? before?.target,
  });
  const known = given.body ?? (before === undefined ? '' : before.body);
  if (known === undefined) throw badRequest('the journal does not have the body of this request');
  const body = Buffer.from(known);
  const usual = body.byteLength === 0 ? '' : 'application/json';
  const contentType = given.contentType ?? contentTypeOf(before?.rawHeaders ?? []) ?? usual;
  return { method, target, body, contentType };
}

function contentTypeOf(rawHeaders: readonly string[]): string | undefined {
  const at = rawHeaders.findIndex((name, nth) => nth % 2 === 0 && name.toLowerCase() === 'content-type');
  return at === -1 ? undefined : rawHeaders[at + 1];
}

async function chooseKey(
  { keyId, organization }: RequestToSend,
  before: Exchange | undefined,
  mayBeDisabled: boolean,
  { store, organization: first }: Service,
): Promise<KeyCredential> {
  if (keyId !== undefined) return requireKey(store, keyId);
  if (organization !== undefined) await requireOrganization(store, organization);
  const signer = organization === undefined ? before?.keyId : undefined;
  const known = await store.apiKeys.credential(signer ?? '');
  if (known !== undefined && (mayBeDisabled || known.enabled)) return known;
  const owner = organization ?? known?.organizationId ?? before?.organization ?? first;
  const oldest = await store.apiKeys.oldest(owner);
  if (oldest?.enabled) return oldest;
  throw new HttpError(409, 'The organization has no enabled key: issue or enable one');
}

async function changeService(
  remedy: Remedy | undefined,
  { keyId, organizationId }: KeyCredential,
  { store }: Service,
): Promise<void> {
  if (remedy?.step === 'raise-limit') {
    const { kind, limit } = remedy;
    const now = (await store.quotas.of(organizationId))[kind]?.limit ?? 0;
    await store.quotas.setLimits(organizationId, { [kind]: Math.max(limit, now) });
  }
  if (remedy?.step === 'enable-key')
    await store.apiKeys.update(organizationId, keyId, (current) => ({ ...current, enabled: true }));
}

/** Returns only the status: the response is read from the journal. */
async function exchange(
  { method, target: path, body }: ReturnType<typeof toParts>,
  headers: Readonly<Record<string, string>>,
  url: string,
  { tls }: Service,
): Promise<string> {
  const { hostname, port } = urlToHttpOptions(new URL(url));
  const signal = AbortSignal.timeout(patience);
  const options = { hostname, port, method, path, headers, agent: false, signal };
  // Trusts only the server's own certificate, whoever issued it.
  const trust = { allowPartialTrustChain: true, checkServerIdentity: () => undefined };
  const request = tls
    ? requestSecurely({ ...options, ...trust, ca: new X509Certificate(tls.cert).toString() })
    : requestPlainly(options);
  const [response] = await once(request.end(body), 'response');
  await buffer(response);
  return `status ${response.statusCode}`;
}
