import type { DeclaredResource } from '../../api/resources/index.js';
import { countNoun } from '../../text/count-noun.js';
import { kindsOfFile } from '../declaration/organization-file.js';
import type { KindPlan } from '../plan/plan.js';
import type { OrganizationFile } from '../read/file-entry.js';

/** Kinds that are not in the file, and therefore not read from the service. */
export function listUnnamedKinds({ kinds }: Pick<OrganizationFile, 'kinds'>): readonly DeclaredResource[] {
  return kindsOfFile.filter((resource) => !kinds.has(resource));
}

/** Such as "not in the file: 2 teams, all API keys"; `undefined` if the file names everything. */
export function describeLeftAlone(
  plans: readonly KindPlan[],
  file: Pick<OrganizationFile, 'kinds'>,
): string | undefined {
  const counted = plans.filter(({ leftAlone }) => leftAlone > 0);
  const parts = [
    ...counted.map(({ resource, leftAlone }) => countNoun(leftAlone, resource.singular, resource.plural)),
    ...listUnnamedKinds(file).map(({ plural }) => `all ${plural}`),
  ];
  return parts.length === 0 ? undefined : `not in the file: ${parts.join(', ')}`;
}
