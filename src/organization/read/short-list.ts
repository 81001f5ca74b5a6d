import type { DeclaredResource } from '../../api/resources/index.js';
import { countNoun } from '../../text/count-noun.js';

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
