import type { Api } from '../../client/api.js';
import type { Context } from '../../context.js';
import type { Resource } from '../../contract/resource.js';
import { apiKeys } from '../../contract/resources/api-key.js';
import type { DeclaredResource } from '../../contract/resources/index.js';
import { deleteUnlessGone } from '../api-keys/interrupted-creation.js';
import type { BulkRow, Entry, Stage } from '../bulk.js';
import { groupedByName, readKind } from './world.js';

/**
 * Names that several runs have made at the same time: the service takes any name twice. Once all of a kind are made it is
 * read again, and of what this run made goes what is not the oldest of its name. The oldest is nobody's to delete,
 * so that one is left, whatever number of runs there are.
 */
export class Doubles {
  readonly #api: Api;
  readonly #context: Pick<Context, 'printer' | 'note' | 'progress' | 'signal'>;
  readonly #made = new Map<DeclaredResource, Map<string, unknown>>();

  constructor(api: Api, context: Pick<Context, 'printer' | 'note' | 'progress' | 'signal'>) {
    this.#api = api;
    this.#context = context;
  }

  /** Remembers what this run made. */
  made(resource: DeclaredResource, name: string, { id }: Resource): void {
    const ofKind = this.#made.get(resource) ?? new Map<string, unknown>();
    this.#made.set(resource, ofKind.set(name, id));
  }

  /** Takes back what is double of a kind, a row for each; none where nothing is. */
  stageFor(resource: DeclaredResource): Stage {
    return { count: 0, entries: () => this.#entriesOf(resource) };
  }

  async #entriesOf(resource: DeclaredResource): Promise<readonly Entry[]> {
    const made = this.#made.get(resource);
    if (made === undefined || this.#context.signal.aborted) return [];
    const label = { kind: resource.kind, name: 'all names' };
    try {
      const world = await readKind(resource, this.#api, this.#context);
      return (await this.#doubles(resource, made, world)).map((one) => this.#takingBack(resource, one));
    } catch (error) {
      return [{ label, run: () => Promise.reject(error) }];
    }
  }

  /** What this run made and has an older namesake; of others that are younger a warning tells. */
  async #doubles(
    resource: DeclaredResource,
    made: ReadonlyMap<string, unknown>,
    world: readonly Resource[],
  ): Promise<readonly { readonly ours: Resource; readonly oldest: Resource }[]> {
    const found: { ours: Resource; oldest: Resource }[] = [];
    for (const [name, namesakes] of groupedByName(world)) {
      const [oldest, ...younger] = namesakes;
      const ours = namesakes.find(({ id }) => id === made.get(String(name)));
      if (ours === undefined || oldest === undefined || younger.length === 0) continue;
      // A key's secret is in use somewhere by now.
      const isOurs = ours !== oldest && resource.kind !== apiKeys.kind;
      if (isOurs) found.push({ ours, oldest });
      else await this.#warn(resource, String(name), namesakes);
    }
    return found;
  }

  async #warn(resource: DeclaredResource, name: string, all: readonly Resource[]): Promise<void> {
    const ids = all.map(({ id }) => id).join(', ');
    const printer = await this.#context.printer();
    await printer.warn(
      `${all.length} ${resource.plural} have the name ${name} now: ${ids}; another run made the same at the same time`,
    );
  }

  #takingBack(resource: DeclaredResource, { ours, oldest }: { ours: Resource; oldest: Resource }): Entry {
    const id = String(ours['id']);
    return {
      label: { kind: resource.kind, name: ours['name'], id },
      run: async (): Promise<BulkRow> => {
        await deleteUnlessGone(id, this.#api[resource.property]);
        return {
          result: 'taken back',
          error: `${oldest['id']} has this name, and was made at the same time`,
        };
      },
    };
  }
}
