import { apiKeys } from '../../api/resources/api-key.js';
import { connections, isPostgres, postgresTypes } from '../../api/resources/connection.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { type IdentifiedResource, isResource, type Resource } from '../../api/resources/resource.js';
import type { OrganizationEntry } from '../declaration/organization-file.js';
import {
  bareReferences,
  fieldsOf,
  kindsInMaking,
  referencesOf,
  settingsWith,
} from '../declaration/organization-file.js';
import { markerForms, type PlacedReference } from '../declaration/secret-reference.js';
import type { FileEntry, FileProblem, OrganizationFile } from '../read/file-entry.js';
import type { World } from '../read/world.js';
import { type Differences, differences } from './differences.js';
import type { InterruptedKey } from './interrupted-keys.js';
import { type Match, match } from './match.js';

/** What is to become of one resource. */
export type Step =
  /** `isGoingOn`: an interrupted run started it. `made`: the key that it made, of which only the secret is to be stored. */
  | (StepOf<'create'> & {
      readonly entry: FileEntry;
      readonly hidden: readonly string[];
      readonly isGoingOn?: boolean;
      readonly made?: IdentifiedResource | undefined;
    })
  | (StepOf<'change'> &
      Differences & {
        readonly entry: FileEntry;
        readonly existing: IdentifiedResource;
        readonly sent: readonly string[];
      })
  /** `interrupted`: the entry for which an interrupted run made the key, whose secret nobody has. */
  | (StepOf<'delete'> & { readonly existing: IdentifiedResource; readonly interrupted?: FileEntry })
  /** An API key that is to be enabled, which the API cannot do (reference, section 3). */
  | (StepOf<'enable'> & { readonly existing: IdentifiedResource });

interface StepOf<Action extends string> {
  readonly action: Action;
  readonly resource: DeclaredResource;
  readonly name: string;
}

/** What is to become of one kind. */
export interface KindPlan {
  readonly resource: DeclaredResource;
  readonly steps: readonly Step[];
  /** How many are as the file says. */
  readonly unchanged: number;
  /** The fields that could not be compared, by name. */
  readonly hidden: ReadonlyMap<string, readonly string[]>;
  /** The key that signs, if it is not in the file and pruning would delete it. */
  readonly kept?: IdentifiedResource | undefined;
  /** How many there are of the kind. */
  readonly total: number;
}

export interface PlanOptions {
  readonly prune: boolean;
  readonly setSecrets: boolean;
  /** The key that signs. */
  readonly keyId: string;
  /** What interrupted runs left of API keys, by the paths of their entries. */
  readonly interrupted: ReadonlyMap<FileEntry['path'], InterruptedKey>;
}

/**
 * Compares a file with what exists, kind by kind in the order of creation. What the file does not name is left alone,
 * unless pruning.
 *
 * @throws UsageError listing all problems with file, line and column
 */
export function makePlan(file: OrganizationFile, world: World, options: PlanOptions): readonly KindPlan[] {
  const problems: FileProblem[] = [];
  const plans = kindsInMaking.flatMap((resource) => {
    const [entries, existing] = [file.kinds.get(resource), world.get(resource)];
    // A kind that the service does not have is left out.
    return entries === undefined || existing === undefined
      ? []
      : [planKind(resource, entries, existing, options, problems)];
  });
  if (problems.length > 0) throw file.refusal(problems);
  return plans;
}

function planKind(
  resource: DeclaredResource,
  entries: readonly FileEntry[],
  existing: readonly IdentifiedResource[],
  options: PlanOptions,
  problems: FileProblem[],
): KindPlan {
  const left = entries.flatMap(({ path }) => options.interrupted.get(path) ?? []);
  const orphans = new Set(left.flatMap((one) => one.orphans));
  const others = existing.filter((one) => !orphans.has(one));
  const { matches, rest, ...found } = match(resource, entries, others, options.prune);
  problems.push(...found.problems);
  const hidden = new Map<string, readonly string[]>();
  const steps = matches.map((one) => stepsOf(one, options, hidden, problems));
  const pruned = options.prune ? rest : [];
  const kept = pruned.find((one) => isSigning(one, options));
  const deletions = pruned
    .filter((one) => one !== kept)
    .map((one): Step => ({ action: 'delete', resource, name: String(one['name']), existing: one }));
  return {
    resource,
    steps: [...steps.flat(), ...deletions],
    unchanged: steps.filter(({ length }) => length === 0).length,
    hidden,
    kept,
    total: existing.length,
  };
}

function isSigning({ id }: IdentifiedResource, { keyId }: PlanOptions): boolean {
  return id === keyId;
}

function stepsOf(
  { existing, ...entry }: Match,
  options: PlanOptions,
  hidden: Map<string, readonly string[]>,
  problems: FileProblem[],
): readonly Step[] {
  const { resource, entry: wanted } = entry;
  const { name } = wanted;
  const { orphans = [], made, problem } = options.interrupted.get(entry.path) ?? {};
  if (problem !== undefined) problems.push({ path: [...entry.path, 'secret_to'], what: problem });
  const deletions = orphans.map((one): Step => orphanDeletion(one, entry));
  if (existing === undefined || existing === made) {
    if (existing === undefined) problems.push(...whatCreationLacks(entry));
    const isGoingOn = existing !== undefined || deletions.length > 0;
    const hidden = secretsOf(wanted);
    return [...deletions, { action: 'create', resource, name, entry, hidden, isGoingOn, made: existing }];
  }
  problems.push(...undeclaredReferences(entry, existing));
  const compared = differences(wanted, existing, options.setSecrets);
  const byHand = compared.changes.some(({ field, to }) => field === 'enabled' && to === true);
  const { patch, changes } = byHand ? withoutEnabled(compared) : compared;
  if (patch['enabled'] === false && isSigning(existing, options)) {
    problems.push({
      path: [...entry.path, 'enabled'],
      what: `${existing.id} is the key that signs this command, and is not disabled here: orgctl api-keys disable`,
    });
  }
  const sent = compared.hidden.filter((field) => isInPatch(patch, field));
  if (compared.hidden.length > 0) hidden.set(name, compared.hidden);
  return [
    ...deletions,
    ...(Object.keys(patch).length === 0
      ? []
      : [
          {
            action: 'change',
            resource,
            name,
            entry,
            existing,
            patch,
            changes,
            hidden: compared.hidden,
            sent,
          } as const,
        ]),
    ...(byHand ? [{ action: 'enable', resource, name, existing } as const] : []),
  ];
}

/** Bare references of an entry without a type, where nothing says that the resource's declaration has a secret there. */
function undeclaredReferences(
  { resource, entry, path }: FileEntry,
  { id, type }: Resource,
): readonly FileProblem[] {
  if (resource.kind !== connections.kind || isPostgres(type)) return [];
  return bareReferences(entry).map((name) => ({
    path: [...path, 'config', name],
    what: `the entry has no type, and ${id} is not known to be a PostgreSQL connection: mark the reference: ${markerForms}`,
  }));
}

function orphanDeletion(existing: IdentifiedResource, entry: FileEntry): Step {
  const name = String(existing['name']);
  return { action: 'delete', resource: entry.resource, name, existing, interrupted: entry };
}

function withoutEnabled({ patch: { enabled: _, ...patch }, changes }: Differences) {
  return { patch, changes: changes.filter(({ field }) => field !== 'enabled') };
}

function isInPatch({ config }: Resource, field: string): boolean {
  return isResource(config) && Object.hasOwn(config, field.slice('config.'.length));
}

/** The settings of an entry that are secrets, or have some in them. */
function secretsOf(entry: OrganizationEntry): readonly string[] {
  return [...new Set(referencesOf(entry).map(({ path: [, name] }) => `config.${name}`))];
}

/** The fields that an entry needs for creation, but not for an existing resource. */
function whatCreationLacks({ resource, entry, path }: FileEntry): readonly FileProblem[] {
  const why = `: there is no ${resource.singular} ${JSON.stringify(entry.name)} yet, and a new one needs it`;
  const body = creationFields(resource, entry, () => 'secret');
  // Without a type, settings are checked as PostgreSQL's.
  const isUntyped = resource.kind === connections.kind && entry['type'] === undefined;
  const whole = isUntyped ? { ...body, type: postgresTypes[0] } : body;
  const schema = 'inputFor' in resource ? resource.inputFor(whole) : resource.input;
  const { error } = schema.safeParse(whole);
  const needsTarget = resource.kind === apiKeys.kind && entry.secret_to === undefined;
  const lacking = [
    ...(isUntyped ? [['type']] : []),
    ...(error?.issues ?? []).map((issue) => issue.path),
    ...(needsTarget ? [['secret_to']] : []),
  ];
  return lacking.map((field) => ({ path: [...path, ...field], what: `missing${why}` }));
}

/**
 * The body of POST: of an API key without its status, which only PATCH changes.
 *
 * @param secret what stands for a reference; by default itself, as in the file
 */
export function creationFields(
  resource: DeclaredResource,
  entry: OrganizationEntry,
  secret?: (placed: PlacedReference) => unknown,
): Resource {
  const { enabled: _, ...others } = fieldsOf(entry);
  const fields = resource.kind === apiKeys.kind ? others : fieldsOf(entry);
  if (secret === undefined || !isResource(fields['config'])) return fields;
  return { ...fields, config: settingsWith(entry, secret) };
}

/** Whether a step deletes the key that an interrupted run made, in the place of which another one is created. */
export function isOrphanDeletion(step: Step): boolean {
  return step.action === 'delete' && step.interrupted !== undefined;
}

/** How many steps of each action there are. */
export function countSteps(plans: readonly KindPlan[], action: Step['action']): number {
  return plans.reduce((sum, { steps }) => sum + steps.filter((step) => step.action === action).length, 0);
}
