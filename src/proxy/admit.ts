import type { IncomingMessage } from 'node:http';
import { findMethodOverride, isChanging } from '../client/exchange/request.js';
import { findValues } from './headers.js';

/** A response of the proxy's own. */
export interface ProxyRefusal {
  readonly status: number;
  /** A clause to follow `orgctl proxy:`. */
  readonly reason: string;
  /** Seconds, for `Retry-After`. */
  readonly retryAfter?: number | undefined;
}

/** Why to refuse a request; `undefined` to forward it. Node's parser has already refused ambiguous lengths. */
export function findRefusal(
  { method = '', url = '', rawHeaders }: IncomingMessage,
  port: number,
  isReadOnly: boolean,
): ProxyRefusal | undefined {
  const values = (name: string) => findValues(rawHeaders, name).map((value) => value.toLowerCase());
  const refuse = (reason: string, status = 403) => ({ status, reason });
  if (!url.startsWith('/') && url !== '*')
    return refuse('this is not a forward proxy: send only the path, not a full URL');
  // A web page could call the proxy by any name that resolves to this machine.
  const [host, ...others] = values('host');
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => (port === 80 ? name : `${name}:${port}`));
  if (host === undefined || others.length > 0 || !own.includes(host))
    return refuse(`the Host header must be 127.0.0.1:${port} or localhost:${port}`);
  if (!values('origin').every((origin) => own.some((name) => origin === `http://${name}`)))
    return refuse('requests from web pages of other origins are not forwarded');
  const override = findMethodOverride(rawHeaders.filter((_, at) => at % 2 === 0));
  const change = isChanging({ method, target: url }) ? method : override;
  if (isReadOnly && change !== undefined)
    return refuse(`this proxy is read-only and does not forward ${change}`);
  // An offer to switch to h2c may be ignored (RFC 9110, section 7.8).
  if (values('upgrade').some((value) => value !== 'h2c'))
    return refuse('upgrades to other protocols are not forwarded', 501);
  if (values('transfer-encoding').some((value) => value !== 'chunked'))
    return refuse('the only supported transfer coding is chunked', 501);
  return undefined;
}
