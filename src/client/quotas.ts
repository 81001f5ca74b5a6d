import { type QuotaRecord, quotaEnvelopeSchema } from '../contract/quota.js';
import { ServiceError } from '../errors.js';
import { decode } from './decode.js';
import type { Transport } from './transport.js';

export function quotasApi(transport: Transport) {
  return {
    /** The organization's quota record, keyed by kind: `GET /quotas` (reference, section 4). */
    async read(): Promise<QuotaRecord> {
      const called = { method: 'GET', target: '/quotas' } as const;
      const [record] = decode(await transport.send(called), quotaEnvelopeSchema, called).data;
      if (record !== undefined) return record;
      throw new ServiceError('server', 'GET /quotas was answered without a quota record: "data" is empty', {
        status: 200,
        method: called.method,
        path: called.target,
      });
    },
  };
}
