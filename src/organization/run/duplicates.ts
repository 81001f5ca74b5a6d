import { apiKeys } from '../../api/resources/api-key.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import type { Resource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import type { Api } from '../../client/api.js';
import type { BulkEntry, BulkRow, Stage } from '../../commands/resource/bulk.js';
import { OutcomeUnknownError } from '../../errors/errors.js';
import { readCreationTime } from '../../verbs/resource/new-resource.js';
import { groupedByName, readKind } from '../read/existing-resources.js';
import { deleteResource } from './delete-resource.js';

/**
 * Concurrent runs, or a service that carries out one request twice, can create duplicate names. A run deletes its own
 * resource if the other one is older. It deletes no key, and nothing that may be another run's: that is a failure,
 * because the next run would refuse the name.
 */
export class Duplicates {
  /** Kinds with duplicates that no run takes back. */
  readonly left = new Set<DeclaredResource>();
  readonly #api: Api;
  readonly #context: Pick<Context, 'printer' | 'note' | 'progress' | 'signal'>;
  readonly #made = new Map<DeclaredResource, Map<string, unknown>>();
  /** IDs of resources that another run may have created. */
  readonly #uncertain = new Set<unknown>();

  constructor(api: Api, context: Pick<Context, 'printer' | 'note' | 'progress' | 'signal'>) {
    this.#api = api;
    this.#context = context;
  }

  /** Records a creation; uncertain ones are never deleted. */
  made(resource: DeclaredResource, name: string, { id }: Resource, isCertain = true): void {
    if (!isCertain) this.#uncertain.add(id);
    const ofKind = this.#made.get(resource) ?? new Map<string, unknown>();
    this.#made.set(resource, ofKind.set(name, id));
  }

  stageFor(resource: DeclaredResource): Stage {
    // Also runs after a full quota has stopped creations, because deleting duplicates makes room.
    return { count: 0, entries: () => this.#entriesOf(resource), isCleanUp: true };
  }

  async #entriesOf(resource: DeclaredResource): Promise<readonly BulkEntry[]> {
    const made = this.#made.get(resource);
    if (made === undefined || this.#context.signal.aborted) return [];
    const label = { kind: resource.kind, name: 'all names' };
    try {
      const existing = await readKind(resource, this.#api, this.#context);
      return await this.#findDuplicates(resource, made, existing);
    } catch (error) {
      return [{ label, run: () => Promise.reject(error) }];
    }
  }

  /** Lists deletions of this run's younger duplicates, and failures for duplicate keys. Warns of other duplicates. */
  async #findDuplicates(
    resource: DeclaredResource,
    made: ReadonlyMap<string, unknown>,
    existing: readonly Resource[],
  ): Promise<readonly BulkEntry[]> {
    const found: BulkEntry[] = [];
    for (const [name, listed] of groupedByName(existing)) {
      const namesakes = sortByAge(listed);
      const [oldest, ...younger] = namesakes;
      const ours = namesakes.find(({ id }) => id === made.get(String(name)));
      if (ours === undefined || oldest === undefined || younger.length === 0) continue;
      // A key's secret may already be in use.
      const isInUse = resource.kind === apiKeys.kind;
      if (isInUse || this.#uncertain.has(ours['id'])) found.push(this.#report(resource, { ours, namesakes }));
      else if (ours !== oldest) found.push(this.#takeBack(resource, { ours, namesakes }));
      else await this.#warn(resource, String(name), namesakes);
    }
    return found;
  }

  async #warn(resource: DeclaredResource, name: string, all: readonly Resource[]): Promise<void> {
    await (await this.#context.printer()).warn(describeNamesakes(resource, name, all));
  }

  #report(resource: DeclaredResource, { ours, namesakes }: Duplicate): BulkEntry {
    this.left.add(resource);
    const name = String(ours['name']);
    const error = describeNamesakes(resource, name, namesakes);
    const isUnknown = this.#uncertain.has(ours['id']);
    return {
      label: { kind: resource.kind, name, id: String(ours['id']) },
      run: async (): Promise<BulkRow> => {
        if (isUnknown) throw new OutcomeUnknownError(error);
        return { result: 'failed', error };
      },
    };
  }

  #takeBack(resource: DeclaredResource, { ours, namesakes }: Duplicate): BulkEntry {
    const id = String(ours['id']);
    const name = String(ours['name']);
    return {
      label: { kind: resource.kind, name, id },
      run: async (): Promise<BulkRow> => {
        await deleteResource(resource, id, this.#api, this.#context).catch(async (error: unknown) => {
          await this.#warn(resource, name, namesakes);
          throw error;
        });
        return {
          result: 'undone',
          error: `${namesakes[0]?.['id']} has this name, and was created at the same time`,
        };
      },
    };
  }
}

interface Duplicate {
  readonly ours: Resource;
  /** All resources with the name of `ours`, oldest first. */
  readonly namesakes: readonly Resource[];
}

function describeNamesakes({ plural }: DeclaredResource, name: string, all: readonly Resource[]): string {
  const ids = all.map(({ id }) => id).join(', ');
  return `${all.length} ${plural} are now named ${JSON.stringify(name)}: ${ids}; the service created several for one request, or another run created one at the same time`;
}

/** Oldest first; in the order of the list if any creation time is missing. */
function sortByAge(namesakes: readonly Resource[]): readonly Resource[] {
  const aged = namesakes.map((one) => ({ one, age: readCreationTime(one) ?? Number.NaN }));
  if (aged.some(({ age }) => Number.isNaN(age))) return namesakes;
  return aged.toSorted((first, second) => first.age - second.age).map(({ one }) => one);
}
