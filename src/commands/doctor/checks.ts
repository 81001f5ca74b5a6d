import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import type { AuthMode } from '../../api/option-values.js';
import { errorMessage } from '../../api/refusal-message.js';
import { readForms } from '../../cli/connect.js';
import type { Context } from '../../cli/context.js';
import type { Accepted } from '../../client/api.js';
import { ExchangeFailure, ExchangeTimeoutError } from '../../client/exchange/exchange.js';
import { explainNoProxy, findProxy, ProxyError, type ProxySettings } from '../../client/network/proxy.js';
import { type Advice, doctorCommand, whoamiCommand } from '../../errors/advice.js';
import { ConfigError, NetworkError, readSystemCode, ServiceError, withHint } from '../../errors/errors.js';
import { storedKeys } from '../../profiles/file/parse-profile-file.js';
import type { ServiceSettings } from '../../profiles/resolve.js';
import { displayKeyId } from '../../profiles/settings/secret.js';
import { describeSource, settings as table } from '../../profiles/settings/settings.js';
import { keyIdPrefix, secretLength } from '../../redaction/harmless.js';
import type { Credential } from '../../signing/basic/basic.js';
import { toEndpoint } from '../../text/base-url.js';
import { countNoun } from '../../text/count-noun.js';

export const stages = ['dns', 'proxy', 'connection', 'tls', 'clock', 'authentication'] as const;
type Stage = (typeof stages)[number];

export interface Asked {
  readonly service: ServiceSettings;
  readonly proxy: ProxySettings | undefined;
  readonly whyNoProxy: string | undefined;
  readonly accepted?: Accepted;
  readonly error?: unknown;
  readonly stage?: Stage;
  /** Milliseconds that the service's clock is ahead; `undefined` without a response that says its time. */
  readonly skew?: number | undefined;
}

/** Milliseconds of clock skew above which doctor warns: a fifth of the service's tolerance. */
const noticeableSkew = 60_000;

/** Checks the credential without retries. An error becomes part of the result. */
export async function askService(context: Context, auth?: AuthMode): Promise<Asked> {
  const { env } = context.system;
  const resolved = await context.settings().service();
  const service = { ...resolved, auth: auth ?? resolved.auth, retries: 0 };
  const url = new URL(service.baseUrl.origin);
  const asked = { service, proxy: undefined, whyNoProxy: explainNoProxy(url, env) };
  let stage: Stage = 'proxy';
  try {
    const proxy = findProxy(url, env);
    stage = 'tls';
    const { transport, checkCredential } = await context.apiFor(service);
    const outcome = await checkCredential().then(
      (accepted) => ({ accepted }),
      (error: unknown) => ({ error, stage: stageOf(error, url, proxy) }),
    );
    return { ...asked, ...outcome, proxy, skew: transport.ahead() };
  } catch (error) {
    return { ...asked, error, stage };
  }
}

function stageOf(error: unknown, { protocol }: URL, proxy: ProxySettings | undefined): Stage {
  if (isMessage(error, errorMessage.invalidTimestamp)) return 'clock';
  const failure = error instanceof NetworkError ? error.cause : undefined;
  if (!(failure instanceof ExchangeFailure) || failure.delivered) return 'authentication';
  const { cause } = failure;
  if (cause instanceof ProxyError) return 'proxy';
  const code = readSystemCode(cause) ?? '';
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return 'dns';
  if (cause instanceof ExchangeTimeoutError) return proxy === undefined ? 'connection' : 'proxy';
  return protocol === 'http:' || unconnected.has(code) ? 'connection' : 'tls';
}

const unconnected = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EACCES']);

export function judgeStage(stage: Stage, asked: Asked): Verdict {
  if (asked.stage === stage) throw explainError(asked);
  const { service, proxy, whyNoProxy = 'no proxy', skew } = asked;
  const { origin } = service.baseUrl;
  const { host } = toEndpoint(new URL(origin));
  switch (stage) {
    case 'dns':
      if (isIP(host) !== 0) return skipped(`${host} is an IP address`);
      return proxy === undefined ? ok(`${host} was found`) : skipped(`the proxy resolves ${host}`);
    case 'proxy':
      return proxy === undefined ? skipped(whyNoProxy) : ok(`${proxy.name} (${proxy.variable})`);
    case 'connection':
      return proxy === undefined ? ok(`${origin} accepts connections`) : skipped('made by the proxy');
    case 'tls':
      if (!origin.startsWith('https:')) return skipped('plain HTTP to this machine');
      return ok(`the certificate for ${host} is valid and trusted`);
    case 'clock':
      if (skew === undefined) return skipped('no response with a Date header');
      if (Math.abs(skew) <= noticeableSkew) return ok(describeSkew(skew));
      return { result: 'warning', detail: describeSkew(skew), advice: adviseClock };
    case 'authentication':
      return judgeAuthentication(asked);
  }
}

function describeSkew(skew: number): string {
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (seconds < 2) return 'in sync with the service';
  return `this machine's clock is ${seconds} s ${skew > 0 ? 'behind' : 'ahead of'} the service's`;
}

const adviseClock: Advice = {
  hint: "set this machine's clock from the network; for orgctl serve: orgctl local clock reset",
};

function judgeAuthentication({ accepted, service: { credential, auth, dialect } }: Asked): Verdict {
  const detail = `the service accepts ${credential.keyId}, ${auth}`;
  const unread = accepted?.unread;
  if (unread === undefined)
    return ok(accepted?.call === 'quotas' ? detail : `${detail}; it has no GET /quotas`);
  // A wrong dialect breaks every call, so it is an error, not a warning.
  if (dialect !== undefined) throw unread;
  const unreadable = `${detail}, but the quotas cannot be read: ${unread.message}`;
  return { result: 'warning', detail: unreadable, advice: unread.details };
}

function explainError({ error, stage, skew }: Asked): unknown {
  if (stage === 'clock' && skew !== undefined)
    return new ServiceError('unauthenticated', describeSkew(skew), { status: 401, ...adviseClock });
  if (!isMessage(error, errorMessage.invalidSignature)) return error;
  const hint = 'wrong secret, or request changed in transit? To find out, send the secret';
  return withHint(error, { hint, next: [...doctorCommand, '--try-basic'] });
}

export async function checkBasic(
  { error, service: { auth, baseUrl } }: Asked,
  context: Context,
): Promise<Verdict> {
  if (auth === 'basic' || !isMessage(error, errorMessage.invalidSignature))
    return skipped('only useful if a signature is refused');
  await (await context.printer()).warn(`--try-basic sends the secret to ${baseUrl.origin}`);
  const basic = await askService(context, 'basic');
  if (isMessage(basic.error, errorMessage.invalidSecret)) {
    const hint = 'the secret does not belong to this key ID; see where both come from';
    throw withHint(basic.error, { hint, next: whoamiCommand });
  }
  if (basic.error !== undefined) throw basic.error;
  const hint = 'look for what rewrites requests, such as a proxy; to see what is signed';
  const next = ['orgctl', 'sign', 'GET', '/quotas', '--format', 'explain'];
  const detail = 'the secret is right: something changes the signed request in transit';
  return { result: 'ok', detail, advice: { hint, next } };
}

function isMessage(error: unknown, message: string): boolean {
  return error instanceof ServiceError && error.message === message;
}

export interface Verdict {
  /** `skipped`: does not apply here, and does not stop later checks. */
  readonly result: 'ok' | 'warning' | 'skipped';
  readonly detail: string;
  readonly advice?: Advice | undefined;
}

const ok = (detail: string): Verdict => ({ result: 'ok', detail });
const skipped = (detail: string): Verdict => ({ result: 'skipped', detail });

export function checkFiles({ profiles }: Context): Verdict {
  const problem = profiles().permissionsProblem();
  if (problem !== undefined) throw new ConfigError(problem);
  const path = profiles().path();
  return existsSync(path) ? ok(`${path} is private to you`) : skipped(`no profiles: ${path} does not exist`);
}

/** Reads the settings that later checks need, but not the secret. */
export async function checkProfile(context: Context): Promise<Verdict> {
  const settings = context.settings();
  const active = await settings.profile();
  const [baseUrl, keyId, auth] = await Promise.all([settings.baseUrl(), settings.keyId(), settings.auth()]);
  for (const key of storedKeys) await settings.find<unknown>(table[key]);
  await readForms(await settings.dialect());
  // Called for their errors, which name missing settings and where to set them.
  if (baseUrl === undefined) await settings.service();
  if (keyId === undefined) await settings.credential();
  const used = active === undefined ? 'no profile' : `profile "${active.name}"`;
  return ok(`${used}: ${baseUrl?.value.href}, ${auth.value}; key ID: ${displayKeyId(keyId?.value ?? '')}`);
}

export async function checkSecret(context: Context, ask: () => Promise<Asked>): Promise<Verdict> {
  const settings = context.settings();
  const { source } = (await settings.secretOrigin()) ?? {};
  const credential = await settings.credential();
  const fault = findFault(credential) ?? (await findRefusedForm(credential, ask));
  const from = source === undefined ? '' : ` from ${describeSource(source)}`;
  if (fault === undefined) return ok(`${countNoun(credential.secret.length, 'character')}${from}`);
  const message = `${fault} (the secret comes${from})`;
  if (source?.kind !== 'profile')
    throw new ConfigError(message, { hint: 'see where key ID and secret come from', next: whoamiCommand });
  const next = ['orgctl', 'profile', 'set', source.name, '--ask-secret'];
  throw new ConfigError(message, { hint: 'store the secret again', next });
}

/** The likeliest mistake in a key ID and secret; never quotes them. */
function findFault({ secret }: Credential): string | undefined {
  if (secret.startsWith(keyIdPrefix))
    return 'the secret begins with key_, as key IDs do: are the two swapped?';
  return /[\s\p{Cc}\p{Cf}]/u.test(secret)
    ? 'the secret has a space or an invisible character in it'
    : undefined;
}

/** A form that the API reference does not have is a fault only if the service refuses the credential. */
async function findRefusedForm({ keyId, secret }: Credential, ask: () => Promise<Asked>) {
  const isKeyForm = keyId.startsWith(keyIdPrefix);
  if (isKeyForm && secret.length === secretLength) return undefined;
  const { error } = await ask();
  if (!(error instanceof ServiceError && error.code === 'unauthenticated')) return undefined;
  if (!isKeyForm) return 'the key ID does not begin with key_';
  return `the secret is ${countNoun(secret.length, 'character')} long instead of ${secretLength}`;
}
