import { quotaExceededMessage } from '../../api/error-message.js';
import { errorMessage } from '../../api/refusal-message.js';
import { findExceededQuota } from '../../client/answers/answer-error.js';
import { parseHttpDate } from '../../client/answers/time-headers.js';
import { calledAs } from '../../client/exchange/request.js';
import { claimedKeyId } from '../../redaction/harmless.js';
import { CredentialRefusal, type RequestHead } from '../../signing/claim/claim.js';
import { defaultMaxSkew, explainTimestamp, timestampOf, withinSkew } from '../../signing/hmac/timestamp.js';
import { explainUnknownKey, prepareExplaining } from '../../signing/refusals/explain-credential.js';
import type { ExplainingBudget } from '../../signing/refusals/explaining-budget.js';
import type { Refusal } from '../../signing/refusals/refusal.js';
import { checkHead, readClaim } from '../../signing/scheme.js';
import { decodeBody } from '../decode-body.js';
import type { ExchangeResponse, ProxiedExchange } from '../exchange.js';
import { findValues, toNamed } from '../service/headers.js';

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
  /** The path prefix that signatures do not cover. */
  readonly unsignedPrefix?: string | undefined;
}

/** Explains why the service refused a request with 401 or 403, by repeating the service's checks. */
export async function explainExchange(
  exchange: ProxiedExchange,
  response: ExchangeResponse,
  options: ExchangeExplaining,
): Promise<Refusal> {
  const quota = explainQuota(exchange, response);
  if (quota !== undefined) return quota;
  const clock = readServiceTime(response) ?? exchange.startedAt;
  if (exchange.isSigned) return explainOwnSignature(exchange, response, clock);
  const request = readSentHead(exchange, options.unsignedPrefix);
  const claim = readClaim(request);
  if (claim instanceof CredentialRefusal) {
    const explain = await prepareExplaining({ refusal: claim, request }, []);
    return { check: claim.check, ...explain(true) };
  }
  const known = await options.findKey(claim.keyId);
  if (known === undefined) return explainMissing(claim.keyId);
  if ('problem' in known) {
    return {
      check: 'key',
      reason: `not checked here: the secret of ${known.owner} cannot be read (${known.problem})`,
    };
  }
  const body = readSentBody(exchange);
  const key = { secret: known.secret };
  const head = checkHead(claim, key, { clock: () => clock, maxSkew: defaultMaxSkew });
  if (!(head instanceof CredentialRefusal) && claim.checkBody !== undefined && body === undefined) {
    return {
      check: 'signature',
      reason:
        'not checked here: the proxy did not store the body, which is over 1 MiB or arrived when it held too many others',
    };
  }
  const refusal = head instanceof CredentialRefusal ? head : claim.checkBody?.(key.secret, body ?? noBody);
  if (refusal === undefined) return explainRight(response, known.owner);
  const origins = [`http://${request.headers['host']}`, options.origin];
  const explain = await prepareExplaining({ refusal, request: { ...request, body }, key }, origins);
  const { check, message } = refusal;
  return options.budget.explain({
    message,
    refusal: { check, explain, isExpensive: check === 'signature' },
  });
}

const noBody = Buffer.alloc(0);

/** For an exceeded quota, which no check of the credential explains. */
function explainQuota({ method, target }: ProxiedExchange, response: ExchangeResponse): Refusal | undefined {
  const { status, headers } = response;
  const body = decodeBody(response.body.bytes, headers) ?? noBody;
  const called = calledAs(method, target.toString('latin1'));
  const quota = findExceededQuota({ called, status, headers: toNamed(headers), body });
  if (quota === undefined) return undefined;
  return { check: 'quota', reason: quotaExceededMessage(quota.limit, quota.kind, quota.used) };
}

function explainMissing(keyId: string): Refusal {
  const claimed = claimedKeyId(keyId);
  if (claimed === undefined) return { check: 'key', reason: explainUnknownKey(keyId) };
  return {
    check: 'key',
    reason: `no profile has the key ${claimed}, so its credential cannot be checked here; is it a key of this service?`,
  };
}

/** For a credential that matches the known secret: only the service knows why it refused the request. */
function explainRight(response: ExchangeResponse, owner: string): Refusal {
  if (response.body.bytes.includes(JSON.stringify(errorMessage.keyDisabled))) {
    return { check: 'enabled', reason: `the credential is right, but the key of ${owner} is disabled` };
  }
  const reason =
    response.status === 403
      ? `the credential matches the secret of ${owner}: the service does not allow the key to do this`
      : `the credential matches the secret of ${owner}: the service has another secret for the key, or no such key`;
  return { check: 'key', reason };
}

function explainOwnSignature(
  { startedAt }: ProxiedExchange,
  response: ExchangeResponse,
  clock: number,
): Refusal {
  const timestamp = timestampOf(startedAt);
  if (withinSkew(Number(timestamp), clock, defaultMaxSkew))
    return explainRight(response, 'the profile that signed it');
  return { check: 'timestamp', ...explainTimestamp(timestamp, clock, defaultMaxSkew) };
}

/** The time of the response by the service's clock, in milliseconds since the epoch. */
function readServiceTime({ headers }: ExchangeResponse): number | undefined {
  return parseHttpDate(findValues(headers, 'date')[0]);
}

function readSentHead({ method, target, requestHeaders }: ProxiedExchange, unsignedPrefix = ''): RequestHead {
  const headers = toNamed(requestHeaders);
  const isPrefixed = unsignedPrefix !== '' && target.toString('latin1').startsWith(`${unsignedPrefix}/`);
  return { method, target: isPrefixed ? target.subarray(unsignedPrefix.length) : target, headers };
}

function readSentBody({ requestBody: { bytes, isWhole } }: ProxiedExchange): Buffer | undefined {
  return isWhole ? bytes : undefined;
}
