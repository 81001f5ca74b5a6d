import {
  type ErrorDetails,
  InterruptedError,
  messageOf,
  NetworkError,
  OutcomeUnknownError,
  ServiceError,
  systemCodeOf,
} from '../errors.js';
import { firstLine } from './decode.js';
import { AnswerTooLargeError, type Called, ExchangeFailure } from './exchange.js';

/** Where a request was going, and how long it was allowed to take. */
interface Way {
  readonly origin: string;
  readonly timeout: number;
}

/**
 * Turns a failed attempt into the error that the contract has for it: not delivered, or a reading request without an
 * answer, is `network`; a changing request that may have arrived is `outcome_unknown`; an answer that broke off or was
 * too large is `server`.
 */
export function failureError(failure: unknown, called: Called, way: Way): unknown {
  if (!(failure instanceof ExchangeFailure)) return failure;
  const { cause, delivered, partial } = failure;
  const details = { method: called.method, path: called.target, status: partial?.status, cause };
  const changing = called.method !== 'GET' && called.method !== 'HEAD' && called.method !== 'OPTIONS';
  if (cause instanceof InterruptedError) return interrupted(cause, delivered && changing, called);
  if (delivered && changing && (partial === undefined || partial.status < 300)) {
    return outcomeUnknown(cause, called, way, details);
  }
  if (partial !== undefined) return brokenOff(cause, partial, called, details);
  const { reason, hint } = explain(cause, way);
  return new NetworkError(`${way.origin}: ${reason}`, { ...details, hint, retryable: !delivered });
}

function outcomeUnknown(
  cause: unknown,
  called: Called,
  way: Way,
  details: ErrorDetails,
): OutcomeUnknownError {
  const { reason } = explain(cause, way);
  return new OutcomeUnknownError(
    `${called.method} ${called.target} was sent, but no complete answer came (${reason}); it may or may not have been carried out`,
    { ...details, retryable: false, hint: `look before you repeat it: ${lookingCommand(called.target)}` },
  );
}

function interrupted(cause: InterruptedError, mayHaveArrived: boolean, called: Called): InterruptedError {
  if (!mayHaveArrived) return cause;
  return new InterruptedError(cause.signal, {
    method: called.method,
    path: called.target,
    hint: `${called.method} ${called.target} had been sent and may have been carried out; look: ${lookingCommand(called.target)}`,
  });
}

function brokenOff(
  cause: unknown,
  partial: { status: number; body: Buffer },
  called: Called,
  details: ErrorDetails,
): ServiceError {
  const what = cause instanceof AnswerTooLargeError ? cause.message : 'the answer broke off';
  const line = firstLine(partial.body);
  const quoted = line === '' ? '' : `; it began: ${JSON.stringify(line)}`;
  return new ServiceError(
    'server',
    `${called.method} ${called.target} (${partial.status}): ${what}${quoted}`,
    {
      ...details,
      retryable: false,
    },
  );
}

/** The command that shows whether a change was made. */
function lookingCommand(target: string): string {
  const collection = /\/(connections|api-keys|teams)(?=[/?]|$)/.exec(target)?.[1];
  return collection === undefined ? 'orgctl quotas' : `orgctl ${collection} list --all`;
}

interface Explanation {
  readonly reason: string;
  readonly hint?: string;
}

const untrustedCodes = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
]);

function explain(cause: unknown, way: Way): Explanation {
  const code = systemCodeOf(cause);
  if (cause instanceof DOMException && cause.name === 'TimeoutError') {
    return { reason: `no answer within ${way.timeout} ms`, hint: 'allow more time: --timeout 1m' };
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return { reason: 'the host name was not found', hint: 'check the address: orgctl whoami' };
  }
  if (code === 'ECONNREFUSED') {
    return {
      reason: 'the connection was refused',
      hint: 'is the service running there? orgctl whoami shows the address; orgctl serve starts one here',
    };
  }
  if (code !== undefined && untrustedCodes.has(code)) {
    return {
      reason: `its certificate is not trusted (${code})`,
      hint: 'if it is signed by a CA of your own, name that CA: --ca-file ca.pem',
    };
  }
  return explainRest(code, cause);
}

function explainRest(code: string | undefined, cause: unknown): Explanation {
  if (code === 'CERT_HAS_EXPIRED') return { reason: 'its certificate has expired' };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return { reason: 'its certificate is for another host name', hint: 'check the address: orgctl whoami' };
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO') {
    return {
      reason: 'it does not speak TLS',
      hint: 'check the port, and that the service speaks https there',
    };
  }
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') {
    return { reason: 'the connection was closed before an answer came' };
  }
  const inner = cause instanceof AggregateError ? cause.errors.map(messageOf).join('; ') : messageOf(cause);
  return { reason: inner === '' ? (code ?? 'no connection') : inner };
}
