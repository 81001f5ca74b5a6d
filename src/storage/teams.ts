import type { TeamPatch } from '../contract/team.js';
import type { StorageContext } from './context.js';
import { newIdentifier } from './identifier.js';
import { isChanged, isGone, isMade } from './is-done.js';
import { offsetOf, type PageRequest } from './page.js';
import { releasePlace, takePlace } from './quotas.js';

/** A team as it is stored and answered; all fields are ours, the reference shows none. */
export interface Team {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly updated_at: string;
}

const fields = ['id', 'name', 'created_at', 'updated_at'] as const;

/** The teams of each organization. */
export class Teams {
  readonly #context: StorageContext;

  constructor(context: StorageContext) {
    this.#context = context;
  }

  /** One page, oldest first. */
  list(organizationId: string, page: PageRequest): Promise<Team[]> {
    return this.#context.database
      .selectFrom('teams')
      .select(fields)
      .where('organization_id', '=', organizationId)
      .orderBy('sequence')
      .limit(page.limit)
      .offset(offsetOf(page))
      .execute();
  }

  find(organizationId: string, id: string): Promise<Team | undefined> {
    return this.#context.database
      .selectFrom('teams')
      .select(fields)
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
  }

  /** @throws QuotaExceeded when the organization may have no more teams. */
  create(organizationId: string, input: { name: string }): Promise<Team> {
    const now = this.#context.now();
    const team = { id: newIdentifier('team'), name: input.name, created_at: now, updated_at: now };
    return this.#context.write(
      organizationId,
      async (transaction) => {
        await transaction
          .insertInto('teams')
          .values({ ...team, organization_id: organizationId })
          .execute();
        await takePlace(transaction, organizationId, 'teams');
        return team;
      },
      { isDone: isMade('teams', team.id) },
    );
  }

  update(organizationId: string, id: string, patch: TeamPatch): Promise<Team | undefined> {
    return this.#context.write(
      undefined,
      (transaction) =>
        transaction
          .updateTable('teams')
          .set({ ...patch, updated_at: this.#context.now() })
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .returning(fields)
          .executeTakeFirst(),
      {
        isDone: isChanged(async (_database, made: Team) => {
          const found = await this.find(organizationId, id);
          return found?.name === made.name && found.updated_at === made.updated_at;
        }),
      },
    );
  }

  /** Whether there was such a team. */
  delete(organizationId: string, id: string): Promise<boolean> {
    return this.#context.write(
      organizationId,
      async (transaction) => {
        const deleted = await transaction
          .deleteFrom('teams')
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .returning('id')
          .executeTakeFirst();
        if (deleted === undefined) return false;
        await releasePlace(transaction, organizationId, 'teams');
        return true;
      },
      { isDone: isGone('teams', id) },
    );
  }
}
