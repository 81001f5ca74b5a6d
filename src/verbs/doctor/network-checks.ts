import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { SecureContext } from 'node:tls';
import { systemStore } from '../../api/option-values.js';
import type { Context } from '../../cli/context.js';
import { ExchangeTimeoutError } from '../../client/exchange/exchange.js';
import { explainNoProxy, findProxy, ProxyError } from '../../client/network/proxy.js';
import { trustingContext } from '../../client/network/trusted-roots.js';
import { adviseScheme } from '../../client/transport/advise-scheme.js';
import { explainFailure } from '../../client/transport/explain-failure.js';
import type { Advice } from '../../errors/advice.js';
import { NetworkError, OrgctlError, readSystemCode } from '../../errors/errors.js';
import type { SettingsEnvironment } from '../../profiles/settings/settings.js';
import { type Endpoint, toEndpoint } from '../../text/base-url.js';
import { countNoun } from '../../text/count-noun.js';
import { describeIssuer, describeRefused, fewDaysLeft, isGoodOtherwise } from './certificate.js';
import type { Diagnostic, Verdict } from './examination.js';
import {
  directly,
  type Handshake,
  type Reach,
  type ReachLimits,
  reachThroughProxy,
  shakeHands,
  within,
} from './reach.js';

export type NetworkContext = Pick<Context, 'settings' | 'system' | 'signal' | 'clock'>;

/** Checks of the route to the service; they send it no request. */
export function networkChecks(context: NetworkContext): readonly Diagnostic[] {
  const check = (run: (way: NetworkPath) => Promise<Verdict>) => async () => {
    const way = await findPath(context);
    return run(way).catch((error: unknown) => {
      throw isOfNetwork(error) ? networkError(error, way) : error;
    });
  };
  return [
    { name: 'dns', needs: ['profile'], run: check(checkDns) },
    { name: 'proxy', needs: ['profile'], run: check(checkProxy) },
    { name: 'connection', needs: ['dns', 'proxy'], run: check(checkConnection) },
    { name: 'tls', needs: ['connection'], run: check((way) => checkTls(way, context.clock())) },
  ];
}

interface NetworkPath {
  readonly url: URL;
  readonly endpoint: Endpoint;
  readonly limits: ReachLimits;
  readonly env: SettingsEnvironment;
  readonly caFile: string | undefined;
}

async function findPath({ settings, system, signal }: NetworkContext): Promise<NetworkPath> {
  const resolved = settings();
  // The check "profile" ensures a base URL; without one, `service()` throws an error that says so.
  const { origin } = (await resolved.baseUrl())?.value ?? (await resolved.service()).baseUrl;
  const url = new URL(origin);
  return {
    url,
    endpoint: toEndpoint(url),
    limits: { timeout: (await resolved.timeout()).value, signal },
    env: system.env,
    caFile: (await resolved.caFile())?.value,
  };
}

// Other errors already have a message for users, or are bugs.
function isOfNetwork(error: unknown): boolean {
  return (
    error instanceof ProxyError ||
    error instanceof ExchangeTimeoutError ||
    (!(error instanceof OrgctlError) && readSystemCode(error) !== undefined)
  );
}

function networkError(cause: unknown, { url, limits }: NetworkPath): NetworkError {
  const allowed = { timeout: limits.timeout, option: 'timeout', value: limits.timeout } as const;
  const { reason, lasts: _lasts, ...advice } = explainFailure(cause, false, allowed);
  return new NetworkError(`${url.origin}: ${reason}`, {
    ...advice,
    ...adviseScheme(cause, url.origin),
    cause,
    retryable: true,
  });
}

async function checkDns(way: NetworkPath): Promise<Verdict> {
  const { host } = way.endpoint;
  if (isIP(host) !== 0) return { result: 'skipped', detail: `${host} is an IP address` };
  if (explainNoProxy(way.url, way.env) === undefined) {
    return { result: 'skipped', detail: `the proxy resolves ${host}` };
  }
  const found = await within(lookup(host, { all: true }), way.limits);
  return { result: 'ok', detail: `${host} is ${found.map(({ address }) => address).join(', ')}` };
}

async function checkProxy(way: NetworkPath): Promise<Verdict> {
  const whyNone = explainNoProxy(way.url, way.env);
  const proxy = findProxy(way.url, way.env);
  if (proxy === undefined) return { result: 'skipped', detail: whyNone ?? 'no proxy' };
  await reachThroughProxy(proxy, way.endpoint, describeTrust(way), way.limits)(async () => undefined);
  return { result: 'ok', detail: `${proxy.name} (${proxy.variable}) connects to ${nameEndpoint(way)}` };
}

async function checkConnection(way: NetworkPath): Promise<Verdict> {
  if (findProxy(way.url, way.env) !== undefined) return { result: 'skipped', detail: 'made by the proxy' };
  await directly(way.endpoint, way.limits)(async () => undefined);
  return { result: 'ok', detail: `${nameEndpoint(way)} accepts connections` };
}

async function checkTls(way: NetworkPath, now: number): Promise<Verdict> {
  if (way.url.protocol !== 'https:') return { result: 'skipped', detail: 'plain HTTP to this machine' };
  const trust = describeTrust(way);
  const proxy = findProxy(way.url, way.env);
  const reach =
    proxy === undefined
      ? directly(way.endpoint, way.limits)
      : reachThroughProxy(proxy, way.endpoint, trust, way.limits);
  const handshake = await reach((socket) => shakeHands(socket, way.endpoint, trust, way.limits));
  if (handshake.refusal !== undefined) {
    const isKnown = isGoodOtherwise(handshake.refusal) && (await isTrustedBySystem(way, reach));
    throw refusedCertificate(handshake, handshake.refusal, { way, now, isKnown });
  }
  return judgeReach(handshake, now);
}

function judgeReach({ protocol, certificate }: Handshake, now: number): Verdict {
  if (certificate === undefined) return { result: 'ok', detail: protocol };
  const detail = `${protocol}, ${describeIssuer(certificate)}`;
  const days = fewDaysLeft(certificate, now);
  if (days === undefined) return { result: 'ok', detail };
  return { result: 'warning', detail: `${detail}; the certificate expires in ${countNoun(days, 'day')}` };
}

async function isTrustedBySystem(
  { endpoint, env, limits, caFile }: NetworkPath,
  reach: Reach,
): Promise<boolean> {
  if (caFile === systemStore) return false;
  try {
    const trust = trustingContext(systemStore, env);
    const { refusal } = await reach((socket) => shakeHands(socket, endpoint, trust, limits));
    return refusal === undefined;
  } catch {
    // The result only decides which hint is shown.
    return false;
  }
}

interface Refused {
  readonly way: NetworkPath;
  readonly now: number;
  readonly isKnown: boolean;
}

function refusedCertificate(
  handshake: Handshake,
  code: string,
  { way, now, isKnown }: Refused,
): NetworkError {
  const cause = Object.assign(new Error(code), { code });
  const { message, details, cause: named } = networkError(cause, way);
  const advice = isGoodOtherwise(code) ? trustAdvice(isKnown) : undefined;
  return new NetworkError(`${message}: ${describeRefused(handshake, now)}`, {
    ...details,
    ...advice,
    cause: named,
  });
}

function trustAdvice(isKnown: boolean): Advice {
  return isKnown
    ? {
        hint: 'this machine trusts its issuer, but Node.js does not',
        next: ['orgctl', 'doctor', '--ca-file', systemStore],
      }
    : { hint: 'if you trust its issuer, trust its CA', next: ['orgctl', 'doctor', '--ca-file', 'FILE'] };
}

function describeTrust({ caFile, env }: NetworkPath): SecureContext | undefined {
  return caFile === undefined ? undefined : trustingContext(caFile, env);
}

function nameEndpoint({ url, endpoint }: NetworkPath): string {
  return `${url.hostname}:${endpoint.port}`;
}
