import { type ResourceKind, resourceKinds } from '../../contract/resource-kind.js';
import { z } from '../../contract/schema.js';
import type { FirstOrganizationOptions } from '../first-organization.js';
import { effectiveLimits, needsBootstrapKey } from './plan-seed.js';
import { type Seed, seedSchema } from './seed.js';
import { type OrganizationOutline, type SeedOutline, seedOutlineSchema } from './seed-outline.js';
import type { SeedProblem } from './seed-problem.js';
import { unfitParts } from './unfit-parts.js';

export type CheckedSeed = { readonly seed: Seed } | { readonly problems: readonly SeedProblem[] };

/**
 * Checks a seed: that it can be stored, its shape, that identifiers are unique and that everything fits the quotas. All
 * problems are found at once.
 */
export function checkSeed(value: unknown, options: FirstOrganizationOptions): CheckedSeed {
  const result = z.safeParse(seedSchema, value);
  const outline = z.parse(seedOutlineSchema, value);
  const problems = [
    ...unfitParts(value),
    ...(result.error?.issues ?? []).flatMap(problemsOf),
    ...duplicates(outline),
    ...overQuota(outline, options),
  ];
  return result.success && problems.length === 0 ? { seed: result.data } : { problems };
}

/** Each field that is too much is a problem of its own. */
function problemsOf(issue: z.core.$ZodIssue): SeedProblem[] {
  const { path, message } = issue;
  if (issue.code !== 'unrecognized_keys') return [{ path, message }];
  return issue.keys.map((key) => ({ path, key, message: `Unrecognized key: "${key}"` }));
}

function duplicates({ organizations }: SeedOutline): SeedProblem[] {
  const seen = new Set<string>();
  const problems: SeedProblem[] = [];
  const note = (id: string | undefined, path: PropertyKey[]) => {
    if (id === undefined) return;
    if (seen.has(id)) problems.push({ path, message: `${id} is there twice` });
    seen.add(id);
  };
  for (const [at, organization] of organizations.entries()) {
    note(organization.id, ['organizations', at, 'id']);
    for (const list of ['keys', 'connections', 'teams'] as const) {
      for (const [index, { id }] of (organization[list] ?? []).entries()) {
        note(id, ['organizations', at, list, index, 'id']);
      }
    }
  }
  return problems;
}

const listOfKind = { 'api-keys': 'keys', connections: 'connections', teams: 'teams' } as const;

function overQuota({ organizations }: SeedOutline, options: FirstOrganizationOptions): SeedProblem[] {
  return organizations.flatMap((organization, at) => {
    const isFirst = at === 0;
    const limits = effectiveLimits(organization, isFirst ? options.quotas : {});
    const extra = isFirst && needsBootstrapKey(organization, options) ? 1 : 0;
    return resourceKinds.flatMap((kind) => {
      const count = countOf(organization, kind) + (kind === 'api-keys' ? extra : 0);
      if (count <= limits[kind]) return [];
      const first = extra === 1 && kind === 'api-keys' ? ', the first key included,' : '';
      const message = `${count} ${kind}${first} are more than the quota of ${limits[kind]}`;
      return [{ path: ['organizations', at, listOfKind[kind]], message }];
    });
  });
}

function countOf(organization: OrganizationOutline, kind: ResourceKind): number {
  return organization[listOfKind[kind]]?.length ?? 0;
}
