import type { RowCreation } from '../database/context.js';
import { OutcomeUnknown, StoreUnavailable } from '../database/store-unavailable.js';
import { Gathering } from './gathering.js';

/** `undefined`: stored. `locked`: not stored, because another transaction has locked the quota. */
export type CreationOutcome = Error | 'locked' | undefined;

export type Creations = readonly [RowCreation, ...RowCreation[]];

/**
 * Stores resources of one table in order, as far as quotas allow, in one transaction.
 * @param waits whether to wait for locked quotas instead of returning `locked`
 * @throws OutcomeUnknown; after any other error, nothing is stored
 */
export type CreateTogether = (creations: Creations, waits: boolean) => Promise<readonly CreationOutcome[]>;

interface Waiting {
  readonly creation: RowCreation;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Lets creations in one table share a commit on a database with other writers. Creations whose quota is locked by
 * another transaction move to a separate lane for their table and organization, and wait there.
 */
export class SharedCreations {
  readonly #createTogether: CreateTogether;
  readonly #shared = new Map<string, Gathering<Waiting>>();
  readonly #own = new Map<string, Gathering<Waiting>>();

  constructor(createTogether: CreateTogether) {
    this.#createTogether = createTogether;
  }

  /** @throws QuotaExceeded, StoreUnavailable (nothing was done), OutcomeUnknown */
  run(creation: RowCreation): Promise<void> {
    const lane = this.#own.get(ownSavepoint(creation)) ?? this.#sharedLane(creation);
    return new Promise((resolve, reject) => lane.add({ creation, resolve, reject }));
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#shared.values()].map((lane) => lane.settled()));
    await Promise.all([...this.#own.values()].map((lane) => lane.settled()));
  }

  #sharedLane({ table }: RowCreation): Gathering<Waiting> {
    const lane = this.#shared.get(table) ?? new Gathering<Waiting>((group) => this.#store(group, false));
    this.#shared.set(table, lane);
    return lane;
  }

  #ownLane(creation: RowCreation): Gathering<Waiting> {
    const name = ownSavepoint(creation);
    const commit = (group: readonly Waiting[]) => this.#store(group, true);
    const lane = this.#own.get(name) ?? new Gathering(commit, () => this.#own.delete(name));
    this.#own.set(name, lane);
    return lane;
  }

  async #store(group: readonly Waiting[], waits: boolean): Promise<void> {
    const [first, ...others] = group;
    if (first === undefined) return;
    try {
      const creations: Creations = [first.creation, ...others.map(({ creation }) => creation)];
      const outcomes = await this.#createTogether(creations, waits);
      for (const [at, waiting] of group.entries()) this.#tell(waiting, outcomes[at]);
    } catch (error) {
      if (others.length === 0 || !isOfOne(error)) {
        for (const { reject } of group) reject(error);
        return;
      }
      const middle = group.length >> 1;
      await this.#store(group.slice(0, middle), waits);
      await this.#store(group.slice(middle), waits);
    }
  }

  #tell(waiting: Waiting, outcome: CreationOutcome): void {
    if (outcome === undefined) waiting.resolve();
    else if (outcome === 'locked') this.#ownLane(waiting.creation).add(waiting);
    else waiting.reject(outcome);
  }
}

function ownSavepoint({ table, organizationId }: RowCreation): string {
  return `${table} ${organizationId}`;
}

/** Whether one creation may have caused the error, so that the others can succeed without it. */
function isOfOne(error: unknown): boolean {
  return !(error instanceof StoreUnavailable || error instanceof OutcomeUnknown);
}
