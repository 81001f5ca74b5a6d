import { randomUUID, X509Certificate } from 'node:crypto';
import { request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { requestToSendSchema } from '../../api/control/control.js';
import { readMessage } from '../../errors/errors.js';
import { signedHeaders } from '../../signing/index.js';
import type { Remedy } from '../../signing/refusals/refusal.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import { badRequest, HttpError } from '../http/http-error.js';
import { conforming } from '../http/json-body.js';
import type { TlsIdentity } from '../http/listener.js';
import { isServiceTarget, type Targets } from '../http/url-space.js';
import type { SendableRequest } from '../journal/kept-exchange.js';
import type { Service } from '../service.js';
import type { ControlledStatus, JournalDetail, RequestToSend } from './control.js';
import { explainDetail } from './explained.js';
import { noSuchKey, requireOrganization } from './keys.js';

const markHeader = 'X-Request-ID';

/** Milliseconds to wait for a response; longer than most delays by faults. */
const patience = 30_000;

/**
 * Signs a request and sends it to this server's own listener; no part of the request chooses the address.
 * @throws HttpError 400 for an unsendable request, 404 for an unknown request, key or organization, 409 if no key is
 * enabled, 502 if the request did not reach the journal
 */
export async function sendRequest(
  request: RequestToSend,
  service: Service,
  readFacts: () => Pick<ControlledStatus, 'url' | 'caFile'>,
): Promise<JournalDetail> {
  const { replay, fix = false, ...given } = conforming(requestToSendSchema, request);
  const kept = replay === undefined ? undefined : findKept(replay, service);
  const before = kept?.toSendable();
  const { url, ...facts } = readFacts();
  const destination = { ...facts, url: new URL(url).origin };
  const remedy = fix && kept ? (await explainDetail(kept, destination)).refusal?.remedy : undefined;
  const { targets } = service;
  const wanted = { ...before, ...applyEdit(remedy, before, targets), ...dropUndefined(given) };
  const parts = toParts(wanted);
  const key = await chooseKey({ ...given, before, mayBeDisabled: remedy?.step === 'enable-key' }, service);
  await changeService(remedy, key, service);
  const timestamp = String(Math.floor(service.clock() / 1000));
  const mark = randomUUID();
  const signed = { ...parts, target: targets.toSigned(parts.target), timestamp };
  const answered = await exchange(
    parts,
    {
      ...signedHeaders(key, signed),
      ...(parts.contentType !== '' && { 'Content-Type': parts.contentType }),
      'Content-Length': String(parts.body.byteLength),
      [markHeader]: mark,
    },
    { url, tls: service.tls },
  );
  const sent = service.journal.findByHeader(markHeader, mark);
  if (sent === undefined) throw new HttpError(502, describeLost(answered));
  return explainDetail(sent, destination);
}

function findKept(id: number, { journal }: Service) {
  const kept = journal.find(id);
  if (kept === undefined) throw new HttpError(404, 'request not found in the journal');
  return kept;
}

function dropUndefined<Value extends object>(value: Value): Partial<Value> {
  const copy = { ...value };
  for (const name in copy) if (copy[name] === undefined) delete copy[name];
  return copy;
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

interface WantedParts {
  readonly method?: string | undefined;
  readonly target?: string | undefined;
  readonly contentType?: string | undefined;
  readonly body?: string | Buffer | undefined;
}

interface SentParts {
  readonly method: string;
  readonly target: string;
  readonly contentType: string;
  readonly body: Buffer;
}

/** Checks method and target even if they come from the journal. */
function toParts(wanted: WantedParts): SentParts {
  const { method = 'GET', target = '/' } = wanted;
  if ('body' in wanted && wanted.body === undefined)
    throw badRequest('the journal does not have the body of this request: provide one');
  const { method: sent = 'GET', target: path = '/' } = conforming(requestToSendSchema, { method, target });
  if (!isServiceTarget(path)) throw badRequest(`${path} is not a path of the service`);
  const body = Buffer.from(wanted.body ?? '');
  const { contentType = body.byteLength === 0 ? '' : 'application/json' } = wanted;
  return { method: sent, target: path, contentType, body };
}

interface Signer {
  readonly keyId?: string | undefined;
  readonly organization?: string | undefined;
  readonly before: SendableRequest | undefined;
  readonly mayBeDisabled: boolean;
}

async function chooseKey(
  { keyId, organization, before, mayBeDisabled }: Signer,
  { store, organization: first }: Service,
): Promise<KeyCredential> {
  const id = keyId ?? (organization === undefined ? before?.keyId : undefined);
  const known = id === undefined ? undefined : await store.apiKeys.credential(id);
  if (known !== undefined && (keyId !== undefined || mayBeDisabled || known.enabled)) return known;
  if (keyId !== undefined) throw noSuchKey(keyId);
  if (organization !== undefined) await requireOrganization(store, organization);
  const owner = organization ?? known?.organizationId ?? before?.organization ?? first;
  const usable = await findEnabled(owner, store);
  if (usable === undefined)
    throw new HttpError(409, 'The organization has no enabled key. Issue or enable one.');
  return usable;
}

async function findEnabled(owner: string, { apiKeys }: Service['store']): Promise<KeyCredential | undefined> {
  const keys = await apiKeys.listOfAll();
  const found = keys.find(({ organization, enabled }) => organization === owner && enabled);
  return found && apiKeys.credential(found.id);
}

async function changeService(
  remedy: Remedy | undefined,
  { keyId, organizationId }: KeyCredential,
  { store }: Service,
): Promise<void> {
  if (remedy?.step === 'raise-limit') {
    const { kind, limit } = remedy;
    const { limit: now = 0 } =
      Object.entries(await store.quotas.of(organizationId)).find(([one]) => one === kind)?.[1] ?? {};
    await store.quotas.setLimits(organizationId, { [kind]: Math.max(limit, now) });
  }
  if (remedy?.step === 'enable-key')
    await store.apiKeys.update(organizationId, keyId, (current) => ({ ...current, enabled: true }));
}

interface Listener {
  readonly url: string;
  readonly tls: TlsIdentity | undefined;
}

/** Describes a failure after which the journal lacks the request, or has it without headers. */
function describeLost({ status, problem }: Answered): string {
  return status === undefined
    ? `The server could not send the request to itself: ${readMessage(problem)}`
    : `The server refused to read the request, with status ${status}`;
}

interface Answered {
  readonly status?: number | undefined;
  readonly problem?: unknown;
}

/** Resolves when the exchange ends, even with an error, because the response is read from the journal. */
function exchange(
  { method, target, body }: SentParts,
  headers: Readonly<Record<string, string>>,
  { url, tls }: Listener,
): Promise<Answered> {
  const { hostname, port } = urlToHttpOptions(new URL(url));
  const signal = AbortSignal.timeout(patience);
  const options = { hostname, port, method, path: target, headers, agent: false, signal };
  return new Promise((resolve) => {
    const request = tls ? requestSecurely({ ...options, ...trustOnly(tls) }) : requestPlainly(options);
    request.on('response', (response) => {
      response.on('error', (problem) => resolve({ problem }));
      response.on('close', () => resolve({ status: response.statusCode }));
      response.resume();
    });
    request.on('error', (problem) => resolve({ problem }));
    request.end(body);
  });
}

/** Trusts only the server's own certificate, from any authority and for any name. */
function trustOnly({ cert }: TlsIdentity) {
  return {
    ca: new X509Certificate(cert).toString(),
    allowPartialTrustChain: true,
    checkServerIdentity: () => undefined,
  };
}
