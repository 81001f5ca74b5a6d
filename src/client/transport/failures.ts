import { systemStore } from '../../api/option-values.js';
import { type Advice, doctorCommand, whoamiCommand } from '../../errors/advice.js';
import { readMessage, readSystemCode } from '../../errors/errors.js';
import { formatDuration } from '../../text/duration.js';
import { ExchangeTimeoutError } from '../exchange/exchange.js';
import { ProxyError } from '../network/proxy.js';

/** Why there was no complete response, and what may help. */
interface FailureExplanation extends Advice {
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

const checkAddress = { hint: 'check the address', next: whoamiCommand, lasts: true } as const;
const checkClock = { hint: 'check the clock of this machine: date' };
const noTls = {
  reason: 'it does not speak TLS',
  hint: 'check the port, and that the service speaks https there',
  lasts: true,
} as const;
const ownCa = `if your own CA signed it, choose its certificate as the CA file, or ${JSON.stringify(systemStore)} if this machine trusts it; to find out which`;
const untrusted = (code: string, why = '', hint = '') => ({
  reason: `its certificate is not trusted (${code})${why}`,
  hint: `${hint}${ownCa}`,
  next: doctorCommand,
  lasts: true as const,
});
const closed = { reason: 'the connection was closed before the response was complete' };

/** By the codes of Node's, OpenSSL's and undici's errors. */
const byCode: ReadonlyMap<string, FailureExplanation> = new Map<string, FailureExplanation>([
  ['ENOTFOUND', { reason: 'the host name was not found', ...checkAddress }],
  ['EAI_AGAIN', { reason: 'the host name could not be looked up', ...checkAddress }],
  [
    'ECONNREFUSED',
    {
      reason: 'the connection was refused',
      hint: 'is the service running there? See which address is used',
      next: whoamiCommand,
    },
  ],
  ['CERT_HAS_EXPIRED', { reason: 'its certificate has expired', ...checkClock }],
  ['CERT_NOT_YET_VALID', { reason: 'its certificate is not valid yet', ...checkClock }],
  ['ERR_TLS_CERT_ALTNAME_INVALID', { reason: 'its certificate is for another host name', ...checkAddress }],
  ['INVALID_PURPOSE', { reason: 'its certificate is not for servers', ...checkAddress }],
  // For bytes that are not a TLS record; which of them depends on the bytes and on OpenSSL's version.
  ...['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'].map((code) => [code, noTls] as const),
  [
    // The service sent one certificate, and its issuer is not known here.
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    untrusted(
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      ': it came without the intermediate certificate of its issuer, or its issuer is unknown',
      'if a public CA signed it, the service must send the intermediate certificate, too; ',
    ),
  ],
  ...[
    ...['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_GET_ISSUER_CERT'],
    ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_UNTRUSTED', 'CERT_SIGNATURE_FAILURE', 'INVALID_CA'],
  ].map((code) => [code, untrusted(code)] as const),
  ...['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED'].map((code) => [code, closed] as const),
]);

/** @param delivered whether the request may have reached the service */
export function explainFailure(cause: unknown, delivered: boolean, allowed: TimeAllowed): FailureExplanation {
  if (cause instanceof ExchangeTimeoutError) return explainTimeout(delivered, allowed);
  if (cause instanceof ProxyError) return explainProxy(cause, allowed);
  if (isClosedByPeer(cause)) {
    return delivered ? closed : { reason: 'the connection was closed before the request could be sent' };
  }
  const code = readSystemCode(cause) ?? '';
  const known = byCode.get(code);
  if (known !== undefined) return known;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return { reason: `the TLS handshake failed (${code})`, hint: 'check the port and the TLS versions' };
  }
  return { reason: readMessage(cause) || code || 'no connection' };
}

export function isClosedByPeer(cause: unknown): boolean {
  // undici's parser has neither code nor data if a chunked body ends with its connection.
  const isEndOfBytes = isParserError(cause) && 'data' in cause && cause.data === '';
  return isEndOfBytes || byCode.get(readSystemCode(cause) ?? '') === closed;
}

const parserErrors = /^(?:HTTPParserError|ResponseContentLengthMismatchError|HeadersOverflowError)$/;

/** Whether the response was not HTTP/1.1, for the parser of Node or undici. */
export function isParserError(cause: unknown): cause is Error {
  if (!(cause instanceof Error)) return false;
  return parserErrors.test(cause.name) || readSystemCode(cause)?.startsWith('HPE_') === true;
}

function explainTimeout(delivered: boolean, { option: name, value }: TimeAllowed): FailureExplanation {
  const what = delivered ? 'complete response' : 'connection';
  const when = name === 'timeout' ? 'within' : 'before the deadline of';
  return {
    reason: `no ${what} ${when} ${formatDuration(value)}`,
    hint: `raise the ${name}, for example to ${formatDuration(2 * value)}`,
  };
}

function explainProxy(error: ProxyError, allowed: TimeAllowed): FailureExplanation {
  const { variable, status, cause } = error;
  const name = `the proxy ${error.proxy} (${variable})`;
  const hint = `check ${variable}, or name the service's host in NO_PROXY`;
  if (status === 407) return explainProxyLogin(name, error);
  if (status !== undefined) return { reason: `${name} refused to connect: it returned ${status}`, hint };
  const { reason } = explainFailure(cause, false, allowed);
  const isLate = cause instanceof ExchangeTimeoutError;
  return { reason: isLate ? `${reason} through ${name}` : `${name} cannot be used: ${reason}`, hint };
}

function explainProxyLogin(name: string, { variable, hasPassword, offered }: ProxyError): FailureExplanation {
  const schemes = offered.flatMap((challenge) => /^[\w-]+/.exec(challenge) ?? []).join(' or ');
  if (schemes !== '' && !/\bbasic\b/i.test(schemes)) {
    return {
      reason: `${name} requires ${schemes} authentication, and orgctl speaks only Basic`,
      hint: `use another proxy, or a local one that speaks ${schemes}`,
    };
  }
  if (hasPassword) {
    return {
      reason: `${name} refused the user name and password`,
      hint: `check both in ${variable}; special characters in them must be percent-encoded`,
    };
  }
  return {
    reason: `${name} requires a user name and password`,
    hint: `give both in the variable: ${variable}=http://USER:PASSWORD@HOST:PORT`,
  };
}
