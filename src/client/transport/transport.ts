import { defaultPatience } from '../../api/option-values.js';
import { ConfigError, UsageError } from '../../errors/errors.js';
import { isOriginForm, parseBaseUrl } from '../../text/base-url.js';
import type { Answer } from '../exchange/exchange.js';
import { type ApiRequest, calledAs, findMethodOverride } from '../exchange/request.js';
import { withRetries } from '../exchange/retry.js';
import { underSignals } from '../exchange/under-signals.js';
import { type Forms, knownForms } from '../reading/forms.js';
import { makeAttempts, type TransportOptions } from './attempt.js';

/** Sends authenticated requests, and returns only 2xx responses. */
export interface Transport {
  /**
   * @param left milliseconds left of a deadline that several requests share
   * @throws ServiceError for a status other than 2xx, or a broken response; NetworkError if the request was not
   * delivered, or a read got no response; OutcomeUnknownError if a change got none; ConfigError for a request that a
   * read-only transport refuses; UsageError for an invalid request; the reason of an abort
   */
  send(request: ApiRequest, left?: number): Promise<Answer>;
  /** Milliseconds for all attempts and waits of a call. */
  readonly deadline: number;
  readonly keyId: string;
  readonly origin: string;
  readonly prefix: string;
  readonly forms: Forms;
  /** Milliseconds that the service's clock is ahead, by the last response's `Date`; `undefined` without one. */
  ahead(): number | undefined;
  close(): Promise<void>;
}

/** Authenticates each attempt separately. @throws UsageError for an origin that is neither `https:` nor loopback */
export function createTransport(options: TransportOptions): Transport {
  const { origin, prefix, sender, credential, forms = knownForms } = options;
  const patience = {
    timeout: options.timeout ?? defaultPatience.timeout,
    deadline: options.deadline ?? defaultPatience.deadline,
    retries: options.retries ?? defaultPatience.retries,
    note: options.note ?? (() => undefined),
  };
  parseBaseUrl(origin);
  const closing = new AbortController();
  const { attempt, ...times } = makeAttempts({ ...options, ...patience });
  return {
    ...{ ...times, deadline: patience.deadline, keyId: credential.keyId, origin, prefix, forms },
    async send(request, left = request.deadline) {
      if (options.readOnly) assertReading(request);
      if (!isOriginForm(request.target)) throw targetError(request);
      if (closing.signal.aborted) throw closing.signal.reason;
      const deadline = Math.min(patience.deadline, left ?? patience.deadline);
      const signals = [closing.signal, options.signal, request.signal].filter((one) => one !== undefined);
      return underSignals(signals, ({ signal }) =>
        withRetries((end) => attempt(request, end, signal), { ...options, ...patience, deadline, signal }),
      );
    },
    async close() {
      closing.abort(new UsageError('this client is closed', { hint: 'open another with createClient()' }));
      await sender.close();
    },
  };
}

/** @throws ConfigError for any method but GET, and for a header that may override the method */
function assertReading({ method, target: sent, headers = {} }: ApiRequest): void {
  const override = findMethodOverride(Object.keys(headers));
  if (method === 'GET' && override === undefined) return;
  const { target } = calledAs(method, sent);
  const called = override === undefined ? `${method} ${target}` : `${method} ${target} with ${override}`;
  throw new ConfigError(`${called}: not sent, because this client is read-only`, {
    method,
    path: target,
    hint: 'use another profile or client for changes',
  });
}

function targetError({ method, target }: ApiRequest): UsageError {
  const message = `${JSON.stringify(target)} is not a valid path: it must begin with a single slash and be percent-encoded`;
  return new UsageError(message, { method, path: target });
}
