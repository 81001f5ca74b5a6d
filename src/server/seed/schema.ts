import {
  identifierSchema,
  keyIdSchema,
  limitSchema,
  limitsSchema,
  secretSchema,
} from '../../api/control/chosen-values.js';
import { apiKeys } from '../../api/resources/api-key.js';
import { connectionInputSchema, connections } from '../../api/resources/connection.js';
import {
  hasQuota,
  mapPlainResources,
  type PlainResource,
  quotaKinds,
  type ResourceKind,
  resources,
} from '../../api/resources/index.js';
import { nameSchema } from '../../api/resources/resource.js';
import { quoteNames, z } from '../../api/schema/schema.js';
import type { QuotaLimits } from '../../storage/organizations.js';
import { countNoun } from '../../text/count-noun.js';
import { complaintAbout, complaintAboutKey, complaintAboutText } from '../http/json-body.js';
import { findExceededLimit, jsonLimits } from '../http/json-limits.js';
import type { FirstOrganizationOptions } from '../options/first-organization.js';
import type { Seed } from '../options/seed.js';

const keySchema = z.strictObject({
  id: keyIdSchema,
  secret: z.optional(secretSchema),
  name: z.optional(nameSchema()),
  enabled: z.optional(z.boolean()),
});

const connectionShape = z.strictObject({
  id: z.optional(identifierSchema(connections.idPrefix)),
  name: nameSchema(),
  type: z.string(),
  config: z.record(z.string(), z.unknown()).check(({ value, issues }) => {
    const message = findExceededLimit(value);
    if (message !== undefined) issues.push({ code: 'custom', message, input: {} });
  }),
});

/** Reports problems of the shape and those of the connection's type together. */
const connectionSchema = z.pipe(
  z.unknown().check(({ value, issues }) => {
    const ofShape = z.safeParse(connectionShape, value).error?.issues ?? [];
    const ofInput = z.safeParse(connectionInputSchema(value), value).error?.issues ?? [];
    const isNew = (issue: z.core.$ZodIssue) =>
      ofShape.every(({ path }) => z.core.toDotPath(path) !== z.core.toDotPath(issue.path));
    for (const issue of [...ofShape, ...ofInput.filter(isNew)]) {
      const { message } = issue;
      const path = [...issue.path];
      if (issue.code === 'unrecognized_keys') {
        issues.push({ code: issue.code, keys: issue.keys, message, path, input: {} });
      } else {
        issues.push({ code: 'custom', message, path, input: value });
      }
    }
  }),
  connectionShape,
);

function itemsSchema({ idPrefix, input }: PlainResource) {
  const shape = { id: z.optional(identifierSchema(idPrefix)), ...input.shape };
  const item: z.ZodMiniType = z.strictObject(shape);
  return z.optional(z.array(z.pipe(item, z.custom<never, unknown>())));
}

const lists = {
  keys: z.optional(z.array(keySchema)),
  connections: z.optional(z.array(connectionSchema)),
  ...mapPlainResources('kind', itemsSchema),
};

function chooseList(kind: ResourceKind): keyof typeof lists {
  return kind === apiKeys.kind ? 'keys' : kind;
}

const organizationSchema = z.strictObject({
  id: z.optional(identifierSchema('org')),
  name: nameSchema(),
  quotas: z.optional(limitsSchema),
  ...lists,
});

const seedSchema = z.strictObject(
  { organizations: z.array(organizationSchema).check(z.minLength(1)) },
  { error: ({ code }) => (code === 'invalid_type' ? 'must be an object with organizations' : undefined) },
) satisfies z.ZodMiniType<Seed>;

const outlinedId = z.catch(z.optional(z.string()), undefined);
const item = z.catch(z.object({ id: outlinedId, enabled: z.catch(z.optional(z.boolean()), undefined) }), {});
const items = z.catch(z.array(item), []);

// Stands for an unreadable limit; no count exceeds it.
const unlimited = Number.POSITIVE_INFINITY;
const limit = z.catch(z.optional(limitSchema), unlimited);
const noLimits = Object.fromEntries(quotaKinds.map((kind) => [kind, unlimited]));

// Leaves lists unchecked; `listSeedItems` reads them.
const outlinedOrganization = z.looseObject({
  id: outlinedId,
  quotas: z.catch(z.optional(z.partialRecord(z.enum(quotaKinds), limit)), noLimits),
});

/** Reads even a malformed seed, so that all problems are reported together. Ignores malformed parts. */
const seedOutlineSchema = z.catch(
  z.object({ organizations: z.catch(z.array(z.catch(outlinedOrganization, {})), []) }),
  { organizations: [] },
);

type SeedOutline = z.infer<typeof seedOutlineSchema>;
type OrganizationOutline = SeedOutline['organizations'][number];

function listSeedItems(organization: OrganizationOutline, kind: ResourceKind): z.infer<typeof items> {
  return z.parse(items, organization[chooseList(kind)]);
}

export interface SeedProblem {
  readonly path: readonly PropertyKey[];
  readonly key?: string | undefined;
  /** Quotes only names and IDs, because other values may be secret. */
  readonly message: string;
}

export type CheckedSeed = { readonly seed: Seed } | { readonly problems: readonly SeedProblem[] };

/** Checks JSON limits, shape, duplicate IDs and quotas, and reports the problems together. */
export function checkSeed(value: unknown, options: FirstOrganizationOptions): CheckedSeed {
  try {
    return checkWhole(value, options);
  } catch (error) {
    // Zod exhausts the stack on a list with a hundred thousand problems.
    if (error instanceof RangeError)
      return { problems: [{ path: [], message: 'too many problems to list' }] };
    throw error;
  }
}

function checkWhole(value: unknown, options: FirstOrganizationOptions): CheckedSeed {
  const result = z.safeParse(seedSchema, value);
  const outline = z.parse(seedOutlineSchema, value);
  const problems = [
    ...unfitParts(value),
    ...(result.error?.issues ?? []).flatMap(listSeedProblems),
    ...duplicates(outline),
    ...unfitFirstKey(outline, options),
    ...overQuota(outline, options),
  ];
  return result.success && problems.length === 0 ? { seed: result.data } : { problems };
}

function listSeedProblems(issue: z.core.$ZodIssue): SeedProblem[] {
  const { path, message } = issue;
  if (issue.code !== 'unrecognized_keys') return [{ path, message }];
  const all = quoteNames(issue.keys);
  return issue.keys.map((key) => ({ path, key, message: message.replace(all, quoteNames([key])) }));
}

function duplicates({ organizations }: SeedOutline): SeedProblem[] {
  const seen = new Set<string>();
  const problems: SeedProblem[] = [];
  const note = (id: string | undefined, path: PropertyKey[]) => {
    if (id === undefined) return;
    if (seen.has(id)) problems.push({ path, message: `${id} appears twice` });
    seen.add(id);
  };
  for (const [at, organization] of organizations.entries()) {
    note(organization.id, ['organizations', at, 'id']);
    for (const { kind } of resources) {
      for (const [index, { id }] of listSeedItems(organization, kind).entries()) {
        note(id, ['organizations', at, chooseList(kind), index, 'id']);
      }
    }
  }
  return problems;
}

/** The key that the options choose as the first one must be enabled, and belong to the first organization. */
function unfitFirstKey(
  { organizations }: SeedOutline,
  { bootstrap }: FirstOrganizationOptions,
): SeedProblem[] {
  const keyId = bootstrap?.keyId;
  if (keyId === undefined) return [];
  const chosen = 'the ID given for the first key';
  return organizations.flatMap((organization, at) => {
    const keys = listSeedItems(organization, apiKeys.kind);
    const index = keys.findIndex(({ id }) => id === keyId);
    const path = ['organizations', at, chooseList(apiKeys.kind), index];
    if (index === -1) return [];
    if (at > 0) {
      const message = `${chosen} needs this key in the first organization: move it there, or choose another key`;
      return [{ path: [...path, 'id'], message }];
    }
    if (keys[index]?.enabled !== false) return [];
    const message = `${chosen} makes this the first key, which must be enabled: enable it, or choose another key`;
    return [{ path: [...path, 'enabled'], message }];
  });
}

function overQuota({ organizations }: SeedOutline, options: FirstOrganizationOptions): SeedProblem[] {
  return organizations.flatMap((organization, at) => {
    const isFirst = at === 0;
    const limits: QuotaLimits = { ...organization.quotas, ...(isFirst && options.quotas) };
    const extra = isFirst && needsBootstrapKey(listSeedItems(organization, apiKeys.kind), options) ? 1 : 0;
    return resources.filter(hasQuota).flatMap(({ kind, singular, plural, quota }) => {
      const count = listSeedItems(organization, kind).length + (kind === apiKeys.kind ? extra : 0);
      const limit = limits[kind] ?? quota;
      if (count <= limit) return [];
      const first = extra === 1 && kind === apiKeys.kind ? ', including the first key' : '';
      const message = `the quota of ${limit} is too low for ${countNoun(count, singular, plural)}${first}`;
      return [{ path: ['organizations', at, chooseList(kind)], message }];
    });
  });
}

/** Whether the first organization gets a key besides those in the seed. */
export function needsBootstrapKey(
  keys: readonly { readonly id?: string | undefined; readonly enabled?: boolean | undefined }[],
  { bootstrap = {} }: FirstOrganizationOptions,
): boolean {
  if (bootstrap.keyId !== undefined) return keys.every(({ id }) => id !== bootstrap.keyId);
  return bootstrap.secret !== undefined || keys.every(({ enabled }) => enabled === false);
}

interface SeedPart {
  readonly value: unknown;
  readonly path: readonly PropertyKey[];
}

/** Each value that `complaintAbout` refuses, with its place. */
function unfitParts(seed: unknown): SeedProblem[] {
  // Valid seeds skip the slower search for places.
  if (complaintAbout(seed) === undefined) return [];
  const problems: SeedProblem[] = [];
  let level: SeedPart[] = [{ value: seed, path: [] }];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > jsonLimits.depth) return [...problems, ...level.map(seedTooDeep)];
    level = level.flatMap((place) => {
      const message = complaintAt(place);
      if (message !== undefined) problems.push({ path: place.path, message });
      return listSeedParts(place);
    });
  }
  return problems;
}

function seedTooDeep({ path }: SeedPart): SeedProblem {
  return { path, message: `is nested deeper than ${jsonLimits.depth} levels` };
}

function complaintAt({ value, path }: SeedPart): string | undefined {
  const key = path.at(-1);
  const ofKey = typeof key === 'string' ? complaintAboutKey(key) : undefined;
  return ofKey ?? (typeof value === 'string' ? complaintAboutText(value) : undefined);
}

function listSeedParts({ value, path }: SeedPart): SeedPart[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.map(([key, part]) => ({ value: part, path: [...path, key] }));
}
