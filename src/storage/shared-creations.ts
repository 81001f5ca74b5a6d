import type { Creation } from './context.js';
import { Gathering } from './gathering.js';
import { OutcomeUnknown, StoreUnavailable } from './store-unavailable.js';

/** What became of each: `undefined` when it is stored. */
export type Outcomes = readonly (Error | undefined)[];

/**
 * Stores resources of one organization and kind in one transaction: as many as its quota has room for, in their order.
 * @throws what the database refuses one of them for, and then none is stored
 */
export type CreateTogether = (creations: readonly [Creation, ...Creation[]]) => Promise<Outcomes>;

interface Waiting {
  readonly creation: Creation;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Stores what many requests create in few transactions, on a database that other servers write to: those of one
 * organization and kind, which would wait for the same row of the quota one after the other, share a lock and a commit.
 * Those of others have their own, so that nobody waits for what somebody else has locked.
 */
export class SharedCreations {
  readonly #createTogether: CreateTogether;
  readonly #lanes = new Map<string, Gathering<Waiting>>();

  constructor(createTogether: CreateTogether) {
    this.#createTogether = createTogether;
  }

  /** @throws QuotaExceeded when there is no room, StoreUnavailable when it was not done, OutcomeUnknown. */
  run(creation: Creation): Promise<void> {
    return new Promise((resolve, reject) => this.#lane(creation).add({ creation, resolve, reject }));
  }

  /** When all that waits is stored or has failed. */
  async settled(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.settled()));
  }

  #lane({ organizationId, table }: Creation): Gathering<Waiting> {
    const name = `${table} ${organizationId}`;
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    const lane: Gathering<Waiting> = new Gathering(
      (group) => this.#store(group),
      () => this.#lanes.delete(name),
    );
    this.#lanes.set(name, lane);
    return lane;
  }

  async #store(group: readonly Waiting[]): Promise<void> {
    const [first, ...others] = group;
    if (first === undefined) return;
    try {
      tell(group, await this.#createTogether([first.creation, ...others.map(({ creation }) => creation)]));
    } catch (error) {
      if (others.length === 0 || !isOfOne(error))
        return tell(
          group,
          group.map(() => error),
        );
      // One of them is refused, and it is not said which: the half that has it fails again, down to that one alone.
      const middle = group.length >> 1;
      await this.#store(group.slice(0, middle));
      await this.#store(group.slice(middle));
    }
  }
}

function tell(group: readonly Waiting[], outcomes: readonly unknown[]): void {
  for (const [at, { resolve, reject }] of group.entries()) {
    const failure = outcomes[at];
    if (failure === undefined) resolve();
    else reject(failure);
  }
}

/** Whether an error can be that of one creation, so that its neighbours may do without it. */
function isOfOne(error: unknown): boolean {
  return !(error instanceof StoreUnavailable || error instanceof OutcomeUnknown);
}
