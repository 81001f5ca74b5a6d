import { errors } from 'undici';
import { systemStore } from '../../api/option-values.js';
import type { Advice } from '../../errors/advice.js';
import { doctorCommand, whoamiCommand } from '../../errors/advice.js';
import { readMessage, readSystemCode } from '../../errors/errors.js';
import { formatDuration } from '../../text/duration.js';
import { ExchangeTimeoutError } from '../exchange/exchange.js';
import { ProxyError } from '../network/proxy.js';

/** Why there was no complete response, and what may help. */
export interface FailureExplanation extends Advice {
  readonly reason: string;
  /** Set if retrying does not help. */
  readonly lasts?: true;
}

/** The time limit of an attempt, in milliseconds, and the option that set it. */
export interface TimeAllowed {
  readonly timeout: number;
  readonly option: 'timeout' | 'deadline';
  /** Value of the option; a deadline covers all attempts and waits. */
  readonly value: number;
}

export function explainFailure(cause: unknown, delivered: boolean, allowed: TimeAllowed): FailureExplanation {
  if (cause instanceof ExchangeTimeoutError) return outOfTime(delivered, allowed);
  if (cause instanceof ProxyError) return explainProxy(cause);
  const code = readSystemCode(cause);
  const known = byCode.get(code);
  if (known !== undefined) return known;
  if (isNoStatus(cause)) return { reason: noStatus };
  if (isClosedByPeer(cause)) return explainClosed(delivered);
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL_')) {
    return { reason: `the TLS handshake failed (${code})`, hint: 'check the port and the TLS versions' };
  }
  const inner =
    cause instanceof AggregateError ? cause.errors.map(readMessage).join('; ') : readMessage(cause);
  return { reason: inner === '' ? (code ?? 'no connection') : inner };
}

export const noStatus = 'the status received is not that of a final response';

/** Whether the status is below 100, or 101 without `Upgrade`. Both fail undici's assertions. */
export function isNoStatus(cause: unknown): boolean {
  return readSystemCode(cause) === 'ERR_ASSERTION';
}

function outOfTime(delivered: boolean, { option: name, value }: TimeAllowed): FailureExplanation {
  const what = delivered ? 'complete response' : 'connection';
  const when = name === 'timeout' ? 'within' : 'before the deadline of';
  return {
    reason: `no ${what} ${when} ${formatDuration(value)}`,
    hint: `raise the ${name}, for example to ${formatDuration(2 * value)}`,
  };
}

function explainProxy({ proxy, variable, status, cause }: ProxyError): FailureExplanation {
  const name = `the proxy ${proxy} (${variable})`;
  if (status === 407) {
    return {
      reason: `${name} requires a user name and password`,
      hint: `give both in the variable: ${variable}=http://USER:PASSWORD@HOST:PORT`,
    };
  }
  const hint = `check ${variable}, or name the service's host in NO_PROXY`;
  if (status !== undefined) return { reason: `${name} refused to connect: it returned ${status}`, hint };
  const code = readSystemCode(cause);
  const known = byCode.get(code);
  return { reason: `${name} cannot be used: ${known?.reason ?? readMessage(cause)}`, hint };
}

const closedCodes: ReadonlySet<string | undefined> = new Set([
  'UND_ERR_SOCKET',
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
]);

export function isClosedByPeer(cause: unknown): boolean {
  return closedCodes.has(readSystemCode(cause)) || isEndOfBytes(cause);
}

/** Whether a chunked body ended with its connection: undici's parser names no byte then, and gives no code. */
function isEndOfBytes(cause: unknown): boolean {
  return cause instanceof errors.HTTPParserError && 'data' in cause && cause.data === '';
}

function explainClosed(delivered: boolean): FailureExplanation {
  return {
    reason: delivered
      ? 'the connection was closed before the response was complete'
      : 'the connection was closed before the request could be sent',
  };
}

const checkAddress = { hint: 'check the address', next: whoamiCommand } as const;

const hostNotFound: FailureExplanation = {
  reason: 'the host name was not found',
  ...checkAddress,
  lasts: true,
};

/** OpenSSL's codes for bytes that are not a TLS record; which of them depends on the bytes and on its version. */
export const noTlsCodes: ReadonlySet<string | undefined> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
]);

const noTls: FailureExplanation = {
  reason: 'it does not speak TLS',
  hint: 'check the port, and that the service speaks https there',
  lasts: true,
};

const byCode: ReadonlyMap<string | undefined, FailureExplanation> = new Map([
  ['ENOTFOUND', hostNotFound],
  ['EAI_AGAIN', { ...hostNotFound, reason: 'the host name could not be looked up' }],
  [
    'ECONNREFUSED',
    {
      reason: 'the connection was refused',
      hint: 'is the service running there? See which address is used',
      next: whoamiCommand,
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
  ['INVALID_PURPOSE', { reason: 'its certificate is not for servers', ...checkAddress, lasts: true }],
  ...[...noTlsCodes].map((code) => [code, noTls] satisfies [string | undefined, FailureExplanation]),
  ...[
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_UNTRUSTED',
    'CERT_SIGNATURE_FAILURE',
    'INVALID_CA',
  ].map((code) => [code, explainUntrusted(code)] satisfies [string, FailureExplanation]),
]);

function explainUntrusted(code: string): FailureExplanation {
  return {
    reason: `its certificate is not trusted (${code})`,
    hint: `if your own CA signed it, choose its certificate as the CA file, or ${JSON.stringify(systemStore)} if this machine trusts it; to find out which`,
    next: doctorCommand,
    lasts: true,
  };
}
