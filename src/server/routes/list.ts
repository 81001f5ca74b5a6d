import type { FastifyRequest } from 'fastify';
import { type Envelope, envelope } from '../../contract/envelope.js';
import type { ResourceKind } from '../../contract/resource-kind.js';
import type { PageRequest } from '../../storage/page.js';
import type { Store } from '../../storage/store.js';
import { parsePageQuery } from '../page-query.js';
import { organizationOf } from './resource-request.js';

/** One page of a list, in the envelope of `/quotas` [ours]. The quota knows how many there are: nothing is counted. */
export async function answerList<Item>(
  request: FastifyRequest,
  { quotas }: Store,
  kind: ResourceKind,
  load: (organizationId: string, page: PageRequest) => Promise<Item[]>,
): Promise<Envelope<Item>> {
  const page = parsePageQuery(request.query);
  const organizationId = organizationOf(request);
  const items = await load(organizationId, page);
  const record = await quotas.of(organizationId);
  return envelope(items, { total: record[kind]?.used ?? 0, page: page.page, limit: page.limit });
}
