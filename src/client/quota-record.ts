import { readQuotas as quotasCall } from '../api/operations.js';
import type { QuotaRecord } from '../api/quota.js';
import { assertCallFailed, ServiceError } from '../errors/errors.js';
import { decodeJson, formError } from './answers/decode.js';
import { assertSucceeded } from './answers/outcome.js';
import type { CallOptions } from './reading/page.js';
import { type FoundQuotas, readQuotas } from './reading/read-quotas.js';
import type { Transport } from './transport/transport.js';

export interface QuotaAnswer extends FoundQuotas {
  /** The error for a 2xx response without any readable quota; the service has accepted the credential. */
  readonly misfit?: ServiceError | undefined;
}

/** Whether reading quotas failed because the service seems to have no such call. */
export function lacksQuotas(error: unknown): error is ServiceError {
  return error instanceof ServiceError && [404, 405, 501].includes(error.details.status ?? 0);
}

/** @throws ServiceError `server` for a reported failure; errors of `transport.send` */
export async function readQuotaAnswer(
  transport: Transport,
  { signal, deadline }: CallOptions = {},
  left?: number,
): Promise<QuotaAnswer> {
  const { method, path: target } = quotasCall;
  const answer = await transport.send({ method, target, signal, deadline }, left);
  const value = decodeJson(answer);
  assertSucceeded(answer, value);
  const found = readQuotas(value, transport.forms);
  if (Object.keys(found.record).length > 0) return found;
  const wanted = 'limit, used and remaining of each kind';
  return { ...found, misfit: await formError(answer, value, wanted) };
}

/** The readable quotas. @throws like `readQuotaAnswer`; also if none is readable */
export async function readQuotaRecord(transport: Transport, options: CallOptions = {}): Promise<QuotaRecord> {
  const { record, misfit } = await readQuotaAnswer(transport, options);
  if (misfit !== undefined) throw misfit;
  return record;
}

/** How many resources the quota of a kind counts as used; `undefined` if the quota cannot be read. */
export async function countByQuota(
  kind: string,
  transport: Transport,
  options: CallOptions,
  left?: number,
): Promise<number | undefined> {
  const answer = await readQuotaAnswer(transport, options, left).catch(assertCallFailed);
  return answer && new Map(Object.entries(answer.record)).get(kind)?.used;
}
