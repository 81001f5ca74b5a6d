import type { FastifyInstance } from 'fastify';
import { readQuotas } from '../../api/operations.js';
import type { QuotaRecord } from '../../api/quota.js';
import { type Envelope, envelope, pageSize } from '../../api/schema/envelope.js';
import type { Store } from '../../storage/store.js';
import { readOrganization } from './resource-request.js';

/** By default, responds with an envelope that contains one quota record. */
export function quotaRoutes(
  app: FastifyInstance,
  { quotas }: Store,
  write: (record: QuotaRecord) => unknown = quotaEnvelope,
): void {
  const answer = answering(write);
  app.get(readQuotas.path, { exposeHeadRoute: true }, async (request, reply) => {
    reply.type('application/json; charset=utf-8');
    return answer(await quotas.of(readOrganization(request)));
  });
}

export function quotaEnvelope(record: object): Envelope<object> {
  return envelope([record], { total: 1, page: 1, limit: pageSize.default });
}

/** Caches the text of each record object; the store replaces the object if the record changes. */
function answering(write: (record: QuotaRecord) => unknown): (record: QuotaRecord) => string {
  const answers = new WeakMap<QuotaRecord, string>();
  return (record) => {
    const known = answers.get(record);
    if (known !== undefined) return known;
    const answer = JSON.stringify(write(record));
    answers.set(record, answer);
    return answer;
  };
}
