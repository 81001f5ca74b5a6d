import { formatDuration } from '../contract/duration.js';
import { type Advice, advise, messageOf, systemCodeOf } from '../errors.js';
import { ExchangeTimeoutError } from './exchange.js';
import { ProxyError } from './proxy.js';
import { whoami } from './request.js';

/** Why no answer came, as a clause, and what may mend it. */
export interface FailureExplanation extends Advice {
  readonly reason: string;
  /** Trying again later does not help. */
  readonly lasts?: true;
}

/** How long an attempt was allowed to take, and which option said so. */
export interface TimeAllowed {
  /** Milliseconds of this attempt. */
  readonly timeout: number;
  readonly option: '--timeout' | '--deadline';
  /** The option's value in milliseconds: for a deadline, all attempts and waits together. */
  readonly value: number;
}

/** Explains an error of undici, of the socket or of the limits. `delivered`: whether the request may have gone out. */
export function explainFailure(cause: unknown, delivered: boolean, allowed: TimeAllowed): FailureExplanation {
  if (cause instanceof ExchangeTimeoutError) return outOfTime(delivered, allowed);
  if (cause instanceof ProxyError) return explainProxy(cause);
  const code = systemCodeOf(cause);
  const known = code === undefined ? undefined : byCode.get(code);
  if (known !== undefined) return known;
  if (isNoStatus(cause)) return { reason: noStatus };
  if (code !== undefined && closedCodes.has(code)) return closed(delivered);
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL_')) {
    return { reason: `the TLS handshake failed (${code})`, hint: 'check the port and the TLS versions' };
  }
  const inner = cause instanceof AggregateError ? cause.errors.map(messageOf).join('; ') : messageOf(cause);
  return { reason: inner === '' ? (code ?? 'no connection') : inner };
}

export const noStatus = 'its status is none that an answer may have';

/** Whether an answer had a status below 100, or 101 without being asked: undici asserts that there is no such thing. */
export function isNoStatus(cause: unknown): boolean {
  return systemCodeOf(cause) === 'ERR_ASSERTION';
}

function outOfTime(delivered: boolean, { option, value }: TimeAllowed): FailureExplanation {
  const what = delivered ? 'answer' : 'connection';
  const when = option === '--timeout' ? 'within' : 'before the deadline of';
  return {
    reason: `no ${what} ${when} ${formatDuration(value)}`,
    hint: `allow more time: ${option} ${formatDuration(2 * value)}`,
  };
}

function explainProxy({ proxy, variable, status, cause }: ProxyError): FailureExplanation {
  const name = `the proxy ${proxy} (${variable})`;
  if (status === 407) {
    return {
      reason: `${name} asks for a user and password`,
      hint: `give both in the variable: ${variable}=http://USER:PASSWORD@HOST:PORT`,
    };
  }
  const hint = `check ${variable}, or name the service's host in NO_PROXY`;
  if (status !== undefined) return { reason: `${name} refused to connect: it answered ${status}`, hint };
  const code = systemCodeOf(cause);
  const known = code === undefined ? undefined : byCode.get(code);
  return { reason: `${name} cannot be used: ${known?.reason ?? messageOf(cause)}`, hint };
}

const closedCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

function closed(delivered: boolean): FailureExplanation {
  return {
    reason: delivered
      ? 'the connection was closed before the whole answer came'
      : 'the connection was closed before the request could be sent',
  };
}

const checkAddress = advise(whoami, (command) => `check the address: ${command}`);

const notFound: FailureExplanation = {
  reason: 'the host name was not found',
  ...checkAddress,
  lasts: true,
};

const byCode: ReadonlyMap<string, FailureExplanation> = new Map([
  ['ENOTFOUND', notFound],
  ['EAI_AGAIN', notFound],
  [
    'ECONNREFUSED',
    {
      reason: 'the connection was refused',
      ...advise(
        whoami,
        (command) =>
          `is the service running there? ${command} shows the address; orgctl serve starts one here`,
      ),
    },
  ],
  [
    'CERT_HAS_EXPIRED',
    { reason: 'its certificate has expired', hint: 'check the clock of this machine: date' },
  ],
  [
    'CERT_NOT_YET_VALID',
    { reason: 'its certificate is not valid yet', hint: 'check the clock of this machine: date' },
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    {
      reason: 'its certificate is for another host name',
      ...checkAddress,
      lasts: true,
    },
  ],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    {
      reason: 'it does not speak TLS',
      hint: 'check the port, and that the service speaks https there',
      lasts: true,
    },
  ],
  ...[
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_UNTRUSTED',
    'CERT_SIGNATURE_FAILURE',
    'INVALID_CA',
  ].map((code) => [code, untrusted(code)] satisfies [string, FailureExplanation]),
]);

function untrusted(code: string): FailureExplanation {
  return {
    reason: `its certificate is not trusted (${code})`,
    ...advise(
      ['orgctl', 'doctor'],
      (command) =>
        `if it is signed by a CA of your own, name that CA: --ca-file ca.pem; or, if this machine trusts it: --ca-file system; ${command} tells`,
    ),
    lasts: true,
  };
}
