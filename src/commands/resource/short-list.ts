import type { DeclaredResource } from '../../api/resources/index.js';
import type { Api } from '../../client/api.js';
import { countNoun } from '../../text/count-noun.js';
import type { ListCounts } from './pages.js';

interface Counts {
  /** Number of records in the list, including any that the service marks as deleted. */
  readonly listed: number;
  /** Number that the quota counts, if known. */
  readonly used: number | undefined;
}

/**
 * Why a list that claims to be complete may lag behind, if the quota counts more. That proves nothing: a service may
 * count deleted resources that it does not list.
 */
export function describeShortList(
  { singular, plural }: Pick<DeclaredResource, 'singular' | 'plural'>,
  { listed, used = 0 }: Counts,
): string | undefined {
  if (used <= listed) return undefined;
  const shown = countNoun(listed, singular, plural);
  return `the list of ${plural} may be incomplete: it shows ${shown}, and the quota counts ${used}`;
}

/** Like `describeShortList`, by GET /quotas, or else by the quota in the list's headers. */
export async function doubtList(
  resource: DeclaredResource,
  counts: ListCounts | undefined,
  api: Api,
): Promise<string | undefined> {
  if (counts === undefined) return undefined;
  const { list } = api[resource.property];
  const used = (await list.count?.({ deadline: api.transport.deadline })) ?? counts.quota?.used;
  return describeShortList(resource, { ...counts, used });
}
