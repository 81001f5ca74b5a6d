import { type ResourceKind, resourceKinds } from '../../contract/resource-kind.js';
import { z } from '../../contract/schema.js';
import type { FirstOrganizationOptions } from '../first-organization.js';
import { complaintAbout } from '../json-body.js';
import { effectiveLimits, needsBootstrapKey } from './plan-seed.js';
import { type Seed, type SeedOrganization, seedSchema } from './seed.js';

/** What is wrong with a seed, and where. */
export interface SeedProblem {
  readonly path: readonly PropertyKey[];
  /** Never repeats the value: it may be a secret. */
  readonly message: string;
}

export type CheckedSeed = { readonly seed: Seed } | { readonly problems: readonly SeedProblem[] };

/** Checks a seed: its shape first, then that identifiers are unique and that everything fits the quotas. */
export function checkSeed(value: unknown, options: FirstOrganizationOptions): CheckedSeed {
  const complaint = complaintAbout(value);
  if (complaint !== undefined) return { problems: [{ path: [], message: `the seed ${complaint}` }] };
  const result = z.safeParse(seedSchema, value);
  if (!result.success) return { problems: result.error.issues };
  const seed = result.data;
  const problems = [...duplicates(seed), ...overQuota(seed, options)];
  return problems.length === 0 ? { seed } : { problems };
}

/** A problem with its place, such as `organizations[0].keys[1].secret: must be …`. */
export function describeProblem({ path, message }: SeedProblem): string {
  return path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`;
}

function duplicates({ organizations }: Seed): SeedProblem[] {
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

function overQuota({ organizations }: Seed, options: FirstOrganizationOptions): SeedProblem[] {
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

function countOf(organization: SeedOrganization, kind: ResourceKind): number {
  return organization[listOfKind[kind]]?.length ?? 0;
}
