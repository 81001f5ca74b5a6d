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
import type { TlsIdentity } from '../http/listener.js';
import { isServiceTarget, type Targets } from '../http/url-space.js';
import type { SendableRequest } from '../journal/kept-exchange.js';
import type { Service } from '../service.js';
import type { JournalDetail } from './control.js';
import {
  type Controlled,
  destinationOf,
  requireEntry,
  requireKey,
  requireOrganization,
} from './controlled.js';
import { explainDetail } from './explained.js';

type RequestToSend = z.output<(typeof controlInputs)['requests.send']>;

const markHeader = 'X-Request-ID';

/** Milliseconds to wait for a response; longer than most delays by faults. */
const patience = 30_000;

/**
 * Signs a request and sends it to this server's own listener; no part of the request chooses the address.
 * @throws HttpError 400 for an unsendable request, 404 for an unknown request, key or organization, 409 if no key is
 * enabled, 502 if the request did not reach the journal
 */
export async function sendRequest(
  { replay, fix = false, ...given }: RequestToSend,
  controlled: Controlled,
): Promise<JournalDetail> {
  const { service, journal, facts } = controlled;
  const destination = destinationOf(controlled);
  const kept = replay === undefined ? undefined : requireEntry(journal, replay);
  const before = kept?.toSendable();
  const remedy = fix && kept ? (await explainDetail(kept, destination)).refusal?.remedy : undefined;
  const parts = toParts({
    ...before,
    ...applyEdit(remedy, before, service.targets),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  });
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
  const lost = await exchange(parts, headers, facts().url, service.tls);
  const sent = journal.findByHeader(markHeader, mark);
  if (sent === undefined) throw new HttpError(502, lost);
  return explainDetail(sent, destination);
}

/** Applies a remedy's path and method; keeps a dialect's base path. */
function applyEdit(
  remedy: Remedy | undefined,
  before: SendableRequest | undefined,
  targets: Targets,
): { method?: string; target?: string } {
  if (remedy?.step !== 'edit' || before === undefined) return {};
  const { path, method } = remedy;
  const [sent = '', ...query] = before.target.split(/(?=\?)/);
  const local = targets.toLocal(sent);
  const base = sent.endsWith(local) ? sent.slice(0, sent.length - local.length) : '';
  return {
    ...(method !== undefined && { method }),
    ...(path !== undefined && { target: `${base}${path}${query.join('')}` }),
  };
}

interface SentParts {
  readonly method: string;
  readonly target: string;
  readonly contentType: string;
  readonly body: Buffer;
}

/** Checks method and target even if they come from the journal. */
function toParts(
  wanted: Partial<Omit<SendableRequest, 'body'>> & { body?: string | Buffer | undefined },
): SentParts {
  if ('body' in wanted && wanted.body === undefined)
    throw badRequest('the journal does not have the body of this request: provide one');
  const { method, target } = wanted;
  const checked = conforming(controlInputs['requests.send'], { method, target });
  const { method: verb = 'GET', target: place = '/' } = checked;
  if (!isServiceTarget(place)) throw badRequest(`${place} is not a path of the service`);
  const body = Buffer.from(wanted.body ?? '');
  const { contentType = body.byteLength === 0 ? '' : 'application/json' } = wanted;
  return { method: verb, target: place, contentType, body };
}

async function chooseKey(
  { keyId, organization }: RequestToSend,
  before: SendableRequest | undefined,
  mayBeDisabled: boolean,
  { store, organization: first }: Service,
): Promise<KeyCredential> {
  if (keyId !== undefined) return requireKey(store, keyId);
  if (organization !== undefined) await requireOrganization(store, organization);
  const id = organization === undefined ? before?.keyId : undefined;
  const known = id === undefined ? undefined : await store.apiKeys.credential(id);
  if (known !== undefined && (mayBeDisabled || known.enabled)) return known;
  const owner = organization ?? known?.organizationId ?? before?.organization ?? first;
  const oldest = await store.apiKeys.oldest(owner);
  if (oldest?.enabled) return oldest;
  throw new HttpError(409, 'The organization has no enabled key. Issue or enable one.');
}

async function changeService(
  remedy: Remedy | undefined,
  { keyId, organizationId }: KeyCredential,
  { store }: Service,
): Promise<void> {
  if (remedy?.step === 'raise-limit') {
    const { kind, limit } = remedy;
    const now = new Map(Object.entries(await store.quotas.of(organizationId))).get(kind)?.limit ?? 0;
    await store.quotas.setLimits(organizationId, { [kind]: Math.max(limit, now) });
  }
  if (remedy?.step === 'enable-key')
    await store.apiKeys.update(organizationId, keyId, (current) => ({ ...current, enabled: true }));
}

/** Resolves when the exchange ends, with a text in case the journal lacks it: the response is read from there. */
async function exchange(
  { method, target, body }: SentParts,
  headers: Readonly<Record<string, string>>,
  url: string,
  tls: TlsIdentity | undefined,
): Promise<string> {
  const { hostname, port } = urlToHttpOptions(new URL(url));
  const signal = AbortSignal.timeout(patience);
  const options = { hostname, port, method, path: target, headers, agent: false, signal };
  const request = tls ? requestSecurely({ ...options, ...trustOnly(tls) }) : requestPlainly(options);
  try {
    const answered = once(request, 'response');
    request.end(body);
    const [response] = await answered;
    await buffer(response);
    return `The server refused to read the request, with status ${response.statusCode}`;
  } catch (error) {
    return `The server could not send the request to itself: ${readMessage(error)}`;
  }
}

/** Trusts only the server's own certificate, from any authority and for any name. */
function trustOnly({ cert }: TlsIdentity) {
  return {
    ca: new X509Certificate(cert).toString(),
    allowPartialTrustChain: true,
    checkServerIdentity: () => undefined,
  };
}
