import type { RowCreation } from '../database/context.js';
import { OutcomeUnknown, StoreUnavailable } from '../database/store-unavailable.js';
import { Gathering } from './gathering.js';

/** What became of one: why it is not stored, `locked` when somebody else holds its quota, or `undefined` when it is. */
export type CreationOutcome = Error | 'locked' | undefined;

/** One creation or more, all of one table. */
export type Creations = readonly [RowCreation, ...RowCreation[]];

/**
 * Stores resources of one table in one transaction: as many of each organization as its quota has room for, in their order.
 * @param waits whether quotas that another transaction has locked are waited for; otherwise their creations are `locked`
 * @returns an outcome for each
 * @throws what the database refuses one of them for, and then none is stored
 */
export type CreateTogether = (creations: Creations, waits: boolean) => Promise<readonly CreationOutcome[]>;

interface Waiting {
  readonly creation: RowCreation;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Stores what many requests create in few transactions, on a database that other servers write to. All that waits for a
 * table shares a commit, whatever its organizations, and skips quotas that another server has locked. Those creations go
 * on to a lane of their organization's own, which waits for the lock, so that nobody else has to.
 */
export class SharedCreations {
  readonly #createTogether: CreateTogether;
  readonly #shared = new Map<string, Gathering<Waiting>>();
  /** By table and organization, while a lock of that organization is waited for. */
  readonly #own = new Map<string, Gathering<Waiting>>();

  constructor(createTogether: CreateTogether) {
    this.#createTogether = createTogether;
  }

  /** @throws QuotaExceeded when there is no room, StoreUnavailable when it was not done, OutcomeUnknown. */
  run(creation: RowCreation): Promise<void> {
    const lane = this.#own.get(ownSavepoint(creation)) ?? this.#sharedLane(creation);
    return new Promise((resolve, reject) => lane.add({ creation, resolve, reject }));
  }

  /** When all that waits is stored or has failed. */
  async settled(): Promise<void> {
    // What was under way in a shared lane may have gone on to one of an organization's own.
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
      // One of them is refused, and it is not said which: the half that has it fails again, down to that one alone.
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

/** Whether an error can be that of one creation, so that its neighbours may do without it. */
function isOfOne(error: unknown): boolean {
  return !(error instanceof StoreUnavailable || error instanceof OutcomeUnknown);
}
