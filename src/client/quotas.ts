import { type QuotaRecord, quotaEnvelopeSchema } from '../contract/quota.js';
import { ServiceError } from '../errors.js';
import { decode } from './decode.js';
import type { Transport } from './transport.js';

export function quotasApi(transport: Transport) {
  return {
    /** The organization's quota record, keyed by kind: `GET /quotas` (reference, section 4). */
    async read(): Promise<QuotaRecord> {
      const answer = await transport.send({ method: 'GET', target: '/quotas' });
      const [record] = decode(answer, quotaEnvelopeSchema).data;
      if (record !== undefined) return record;
      const { method, target } = answer.called;
      throw new ServiceError('server', `${method} ${target} was answered without a quota record`, {
        status: answer.status,
        method,
        path: target,
      });
    },
  };
}
