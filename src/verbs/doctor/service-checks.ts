import { errorMessage } from '../../api/error-message.js';
import type { AuthMode } from '../../api/option-values.js';
import { readForms } from '../../cli/connect.js';
import type { Context } from '../../cli/context.js';
import { type Probe, probe } from '../../client/probe.js';
import type { Advice } from '../../errors/advice.js';
import { whoamiCommand } from '../../errors/advice.js';
import { NetworkError, OrgctlError, readMessage, ServiceError } from '../../errors/errors.js';
import { version } from '../../platform/version.js';
import { traceLine } from '../../terminal/text/message-line.js';
import type { BaseUrl } from '../../text/base-url.js';
import { isLoopback, toEndpoint } from '../../text/base-url.js';
import type { Diagnostic, Verdict } from './examination.js';
import { speaksTls } from './reach.js';

export type ServiceContext = Pick<
  Context,
  'settings' | 'system' | 'signal' | 'clock' | 'flags' | 'streams' | 'printer'
>;

/** Milliseconds of clock skew above which doctor warns: a fifth of the service's tolerance. */
const noticeableSkew = 60_000;

/** Checks the response to a signed request. With `tryBasic`, sends the secret if the signature is refused. */
export function serviceChecks(tryBasic: boolean, context: ServiceContext): readonly Diagnostic[] {
  let asked: Promise<Probe> | undefined;
  const answer = () => {
    asked ??= askService(context);
    return asked;
  };
  const needs = ['secret', 'tls'] as const;
  const basic: Diagnostic = { name: 'basic', needs, run: async () => checkBasic(await answer(), context) };
  return [
    { name: 'clock', needs, run: async () => checkClock(await answer(), context) },
    { name: 'authentication', needs, run: async () => checkAuthentication(await answer(), context) },
    ...(tryBasic ? [basic] : []),
  ];
}

async function askService(context: ServiceContext, auth?: AuthMode): Promise<Probe> {
  const { settings, system, signal, clock, flags, streams } = context;
  const { baseUrl, dialect, ...service } = await settings().service();
  const trace = (line: string) => void streams.stderr.write(traceLine(line));
  const { origin, prefix } = baseUrl;
  return probe({
    ...service,
    auth: auth ?? service.auth,
    origin,
    prefix,
    clock,
    signal,
    env: system.env,
    userAgent: `orgctl/${version}`,
    trace: flags().verbose ? trace : undefined,
    forms: await readForms(dialect),
  });
}

async function checkClock(
  { answers, isSignedAgain, outcome, skew }: Probe,
  { system, settings }: ServiceContext,
): Promise<Verdict> {
  const difference = describeSkew(skew);
  const { baseUrl } = await settings().service();
  const advice = adviseClock(system.platform, new URL(baseUrl.origin).hostname);
  if (describeOutcome(outcome) === errorMessage.invalidTimestamp) {
    throw new ServiceError(
      'unauthenticated',
      `${difference}: the service refuses this machine's signatures`,
      {
        status: 401,
        ...advice,
      },
    );
  }
  // The first response refused the timestamp, and showed the service's time.
  if (isSignedAgain) {
    return { result: 'warning', detail: `${difference}; orgctl signs by the service's clock`, advice };
  }
  if (answers === 0) return { result: 'skipped', detail: 'no response to read the time from' };
  if (skew === undefined) return { result: 'skipped', detail: 'the response has no Date header' };
  if (Math.abs(skew) > noticeableSkew) return { result: 'warning', detail: difference, advice };
  return { result: 'ok', detail: difference };
}

function describeSkew(skew: number | undefined): string {
  if (skew === undefined) return "this machine's clock differs from the service's";
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (seconds < 2) return 'in sync with the service';
  return `this machine's clock is ${seconds} s ${skew > 0 ? 'behind' : 'ahead of'} the service's`;
}

/** A service on this machine uses the machine's clock, unless it is `orgctl serve` with an offset. */
function adviseClock(platform: NodeJS.Platform, host: string): Advice {
  const otherwise = clockCommand(platform);
  return isLoopback(host)
    ? { hint: `${otherwise}; for orgctl serve`, next: ['orgctl', 'local', 'clock', 'reset'] }
    : { hint: otherwise };
}

function clockCommand(platform: NodeJS.Platform): string {
  if (platform === 'win32') return 'set it from the network: w32tm /resync';
  if (platform === 'darwin') return 'set it from the network: sudo sntp -sS time.apple.com';
  return 'set it from the network: sudo timedatectl set-ntp true';
}

async function checkAuthentication({ outcome }: Probe, context: ServiceContext): Promise<Verdict> {
  const { credential, auth, baseUrl } = await context.settings().service();
  if ('accepted' in outcome) {
    const { call, unread } = outcome.accepted;
    const detail = `the service accepts ${credential.keyId}, ${auth}`;
    if (unread === undefined)
      return { result: 'ok', detail: call === 'quotas' ? detail : `${detail}; it has no GET /quotas` };
    // Every call reads responses by the dialect: a wrong one is for the profile to mend.
    if ((await context.settings().dialect()) !== undefined) throw unread;
    const unreadable = `${detail}, but the quotas cannot be read: ${unread.message}`;
    return { result: 'warning', detail: unreadable, advice: unread.details };
  }
  if (describeOutcome(outcome) === errorMessage.invalidTimestamp) {
    return { result: 'skipped', detail: 'unknown: it needs "clock"' };
  }
  if (describeOutcome(outcome) !== errorMessage.invalidSignature) {
    throw (await wrongAddress(outcome.error, baseUrl, context)) ?? outcome.error;
  }
  throw adviseCheck(outcome.error, {
    hint: 'wrong secret, or request changed in transit? To find out by sending the secret',
    next: ['orgctl', 'doctor', '--try-basic'],
  });
}

/** Explains errors of a wrong address: one without `/quotas`, or one with `http:` although the port expects TLS. */
async function wrongAddress(
  error: unknown,
  { origin, href }: BaseUrl,
  { settings, signal }: ServiceContext,
): Promise<OrgctlError | undefined> {
  if (error instanceof ServiceError && error.code === 'not_found') {
    return new ServiceError('not_found', `${href} is not the address of the service: it has no /quotas`, {
      ...error.details,
      cause: error.cause,
      hint: 'check host, port and path of the base URL',
      next: whoamiCommand,
    });
  }
  const url = new URL(origin);
  if (url.protocol !== 'http:' || !(error instanceof OrgctlError) || speaksHttp(error)) return undefined;
  const timeout = (await settings().timeout()).value;
  if (!(await speaksTls(toEndpoint(url), { timeout, signal }))) return undefined;
  return new NetworkError(`${origin}: the port speaks TLS, but the address says http`, {
    ...error.details,
    cause: error.cause,
    next: undefined,
    hint: `give the address with https: --base-url ${href.replace('http:', 'https:')}`,
  });
}

/** A TLS port usually responds to plain HTTP with a 400, or not at all. */
function speaksHttp({ details: { status } }: OrgctlError): boolean {
  return status !== undefined && status !== 400;
}

async function checkBasic({ outcome }: Probe, context: ServiceContext): Promise<Verdict> {
  const { baseUrl, auth } = await context.settings().service();
  if (auth === 'basic') return { result: 'skipped', detail: 'Basic is already in use' };
  if (describeOutcome(outcome) !== errorMessage.invalidSignature) {
    return { result: 'skipped', detail: 'it would show nothing new; the secret was not sent' };
  }
  await (await context.printer()).warn(`--try-basic sends the secret to ${baseUrl.origin}`);
  const basic = await askService(context, 'basic');
  if ('error' in basic.outcome) throw wrongSecret(basic.outcome.error);
  return {
    result: 'ok',
    detail: 'the secret is right: something changes the signed request in transit',
    advice: {
      hint: 'look for what rewrites requests, such as a proxy; compare',
      next: ['orgctl', 'sign', 'GET', '/quotas', '--format', 'explain'],
    },
  };
}

function wrongSecret(error: unknown): unknown {
  if (readMessage(error) !== errorMessage.invalidSecret) return error;
  return adviseCheck(error, {
    hint: 'the secret does not belong to this key ID; see where both come from',
    next: whoamiCommand,
  });
}

function describeOutcome(outcome: Probe['outcome']): string | undefined {
  return 'error' in outcome && outcome.error instanceof ServiceError ? outcome.error.message : undefined;
}

export function adviseCheck(error: unknown, { hint, next }: Advice): unknown {
  return error instanceof ServiceError
    ? new ServiceError(error.code, error.message, {
        ...error.details,
        hint,
        next,
        cause: error.cause,
      })
    : error;
}
