import { quotaExceededMessage } from '../api/error-message.js';
import { errorMessage } from '../api/refusal-message.js';
import { findExceededQuota } from '../client/answers/answer-error.js';
import { parseHttpDate } from '../client/answers/time-headers.js';
import { calledAs } from '../client/exchange/request.js';
import { claimedKeyId } from '../redaction/harmless.js';
import { defaultMaxSkew } from '../signing/hmac/timestamp.js';
import { explainUnknownKey, prepareExplaining } from '../signing/refusals/explain-credential.js';
import type { ExplainingBudget, Refusal } from '../signing/refusals/refusal.js';
import { CredentialRefusal, checkHead, readClaim } from '../signing/scheme.js';
import type { ExchangeResponse, ProxiedExchange } from './exchange.js';
import { findValues, toNamed } from './headers.js';

/** A key of a profile on this machine: its secret, or why the secret cannot be read. */
export type KnownKey =
  | { readonly secret: string; readonly owner: string }
  | { readonly owner: string; readonly problem: string };

export interface ExchangeExplaining {
  /** Scheme, host and port of the service, because some clients sign the whole URL. */
  readonly origin: string;
  readonly budget: ExplainingBudget;
  /** Finds a key in the profiles by its ID; does not throw. */
  readonly findKey: (keyId: string) => Promise<KnownKey | undefined>;
}

/** Explains why the service refused a request with 401 or 403, by repeating the service's checks. */
export async function explainExchange(
  exchange: ProxiedExchange,
  response: ExchangeResponse,
  { origin, budget, findKey }: ExchangeExplaining,
): Promise<Refusal> {
  const quota = explainQuota(exchange, response);
  if (quota !== undefined) return quota;
  if (exchange.isSigned) return explainRight(response, 'the profile that signed it');
  const request = { ...exchange, headers: toNamed(exchange.requestHeaders) };
  const claim = readClaim(request);
  if (claim instanceof CredentialRefusal) {
    const explain = prepareExplaining(claim, request, undefined, []);
    return { check: claim.check, ...explain(true) };
  }
  const key = await findKey(claim.keyId);
  if (key === undefined) {
    const shown = claimedKeyId(claim.keyId);
    if (shown === undefined) return { check: 'key', reason: explainUnknownKey(claim.keyId) };
    return unchecked(`no profile has the key ${shown}; is it a key of this service?`);
  }
  if ('problem' in key) return unchecked(`the secret of ${key.owner} cannot be read (${key.problem})`);
  const { bytes: body, isWhole } = exchange.requestBody;
  if (!isWhole) return unchecked('the body is over 1 MiB');
  const clock = parseHttpDate(findValues(response.headers, 'date')[0]) ?? exchange.startedAt;
  const head = checkHead(claim, key, { clock: () => clock, maxSkew: defaultMaxSkew });
  const refusal = head instanceof CredentialRefusal ? head : claim.checkBody?.(key.secret, body);
  if (refusal === undefined) return explainRight(response, key.owner);
  const origins = [`http://${request.headers['host']}`, origin];
  const explain = prepareExplaining(refusal, { ...request, body }, key, origins);
  const { check, message } = refusal;
  return budget.explain(message, { check, explain, isExpensive: check === 'signature' });
}

function unchecked(why: string): Refusal {
  return { check: 'key', reason: `not checked here: ${why}` };
}

/** Explains an exceeded quota, which no check of the credential would find. */
function explainQuota({ method, target }: ProxiedExchange, response: ExchangeResponse): Refusal | undefined {
  const { status, headers } = response;
  const body = response.body.decode(headers) ?? Buffer.alloc(0);
  const called = calledAs(method, target.toString('latin1'));
  const quota = findExceededQuota({ called, status, headers: toNamed(headers), body });
  if (quota === undefined) return undefined;
  return { check: 'quota', reason: quotaExceededMessage(quota.limit, quota.kind, quota.used) };
}

/** Explains the refusal of a credential that matches the known secret: only the service knows the reason. */
function explainRight({ status, body }: ExchangeResponse, owner: string): Refusal {
  if (body.bytes.includes(JSON.stringify(errorMessage.keyDisabled))) {
    return { check: 'enabled', reason: `the credential is right, but the key of ${owner} is disabled` };
  }
  const why =
    status === 403
      ? 'the service does not allow the key to do this'
      : 'the service has another secret for the key, or no such key';
  return { check: 'key', reason: `the credential matches the secret of ${owner}: ${why}` };
}
