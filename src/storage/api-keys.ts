import type { Selectable, Transaction } from 'kysely';
import type { Awaitable } from './awaitable.js';
import { BatchedLoad } from './batched-load.js';
import type { StorageContext } from './context.js';
import { newIdentifier, newSecret } from './identifier.js';
import { isChanged, isGone, isMade } from './is-done.js';
import { offsetOf, type PageRequest } from './page.js';
import { releasePlace, takePlace } from './quotas.js';
import type { ReadCache } from './read-cache.js';
import type { Tables } from './tables.js';

/** An API key as it is answered; beside `id`, `last_used_at` and the status all fields are ours. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly last_used_at: string | null;
  readonly created_at: string;
}

/** What a request is checked against. */
export interface KeyCredential {
  readonly keyId: string;
  readonly organizationId: string;
  readonly secret: string;
  readonly enabled: boolean;
}

/** What can change of a key; enabling one is for the console and for tests (reference, section 3). */
export interface ApiKeyChange {
  readonly name?: string | undefined;
  readonly enabled?: boolean | undefined;
}

/** What makes a key; identifier and secret are generated unless they are given. */
export interface NewApiKey {
  readonly name: string;
  readonly id?: string | undefined;
  readonly secret?: string | undefined;
}

const fields = ['id', 'name', 'enabled', 'last_used_at', 'created_at'] as const;
type Row = Pick<Selectable<Tables['api_keys']>, (typeof fields)[number]>;
type CredentialRow = Pick<Selectable<Tables['api_keys']>, 'organization_id' | 'secret' | 'enabled'>;

/** The API keys of each organization. */
export class ApiKeys {
  readonly #context: StorageContext;
  readonly #credentials: ReadCache<KeyCredential>;
  readonly #rows = new BatchedLoad<CredentialRow>((keyIds) => this.#loadRows(keyIds));

  constructor(context: StorageContext, credentials: ReadCache<KeyCredential>) {
    this.#context = context;
    this.#credentials = credentials;
  }

  /** What the key with this ID is checked against, whosever it is; `undefined` when there is no such key. */
  credential(keyId: string): Awaitable<KeyCredential | undefined> {
    // What no key is named is neither looked for nor remembered: it can be long, and a database may refuse such text.
    if (!isKeyId(keyId)) return undefined;
    return this.#credentials.read(keyId, () => this.#loadCredential(keyId));
  }

  /** One page, oldest first. */
  async list(organizationId: string, page: PageRequest): Promise<ApiKey[]> {
    const rows = await this.#context.database
      .selectFrom('api_keys')
      .select(fields)
      .where('organization_id', '=', organizationId)
      .orderBy('sequence')
      .limit(page.limit)
      .offset(offsetOf(page))
      .execute();
    return rows.map(apiKeyOf);
  }

  async find(organizationId: string, id: string): Promise<ApiKey | undefined> {
    const row = await this.#context.database
      .selectFrom('api_keys')
      .select(fields)
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    return row && apiKeyOf(row);
  }

  /** @throws QuotaExceeded when the organization may have no more keys. */
  async create(organizationId: string, input: NewApiKey): Promise<ApiKey & { secret: string }> {
    const key = { ...input, id: input.id ?? newIdentifier('key') };
    try {
      return await this.#context.write(
        organizationId,
        (transaction) => this.createWithin(transaction, organizationId, key),
        { isDone: isMade('api_keys', key.id), seals: true },
      );
    } finally {
      // Somebody may have asked for it before it was there.
      this.#credentials.forget(key.id);
    }
  }

  /** As `create`, as part of a greater transaction. */
  async createWithin(
    transaction: Transaction<Tables>,
    organizationId: string,
    { name, id = newIdentifier('key'), secret = newSecret() }: NewApiKey,
  ): Promise<ApiKey & { secret: string }> {
    const row = { id, name, enabled: 1, last_used_at: null, created_at: this.#context.now() };
    await transaction
      .insertInto('api_keys')
      .values({
        ...row,
        organization_id: organizationId,
        secret: this.#context.cipher.seal(secret, placeOfSecret(id)),
      })
      .execute();
    await takePlace(transaction, organizationId, 'api-keys');
    return { ...apiKeyOf(row), secret };
  }

  async update(
    organizationId: string,
    id: string,
    { name, enabled }: ApiKeyChange,
  ): Promise<ApiKey | undefined> {
    if (name === undefined && enabled === undefined) return this.find(organizationId, id);
    const row = await this.#context.write(
      undefined,
      (transaction) =>
        transaction
          .updateTable('api_keys')
          .set({ name, enabled: enabled === undefined ? undefined : Number(enabled) })
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .returning(fields)
          .executeTakeFirst(),
      {
        isDone: isChanged(async (_database, made: Row) => {
          const found = await this.find(organizationId, id);
          return found?.name === made.name && found.enabled === (made.enabled === 1);
        }),
      },
    );
    this.#credentials.forget(id);
    return row && apiKeyOf(row);
  }

  /** Whether there was such a key. */
  async delete(organizationId: string, id: string): Promise<boolean> {
    const deleted = await this.#context.write(
      organizationId,
      async (transaction) => {
        const row = await transaction
          .deleteFrom('api_keys')
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .returning('id')
          .executeTakeFirst();
        if (row !== undefined) await releasePlace(transaction, organizationId, 'api-keys');
        return row !== undefined;
      },
      { isDone: isGone('api_keys', id) },
    );
    this.#credentials.forget(id);
    return deleted;
  }

  /** Notes when keys were last used: ISO 8601 times by key ID. A key that is gone by now is passed over. */
  async noteUses(uses: ReadonlyMap<string, string>): Promise<void> {
    // In one order everywhere, so that two servers do not wait for one another's rows.
    const ordered = [...uses].sort(([one], [other]) => (one < other ? -1 : 1));
    await this.#context.write(undefined, async (transaction) => {
      for (const [id, usedAt] of ordered) {
        await transaction
          .updateTable('api_keys')
          .set({ last_used_at: usedAt })
          .where('id', '=', id)
          .execute();
      }
    });
  }

  /** The organization's oldest key that can be used, or else its oldest. */
  async oldest(organizationId: string): Promise<KeyCredential | undefined> {
    const row = await this.#context.database
      .selectFrom('api_keys')
      .select('id')
      .where('organization_id', '=', organizationId)
      .orderBy('enabled', 'desc')
      .orderBy('sequence')
      .executeTakeFirst();
    return row && this.credential(row.id);
  }

  async #loadCredential(keyId: string): Promise<KeyCredential | undefined> {
    const row = await this.#rows.load(keyId);
    if (row === undefined) return undefined;
    return {
      keyId,
      organizationId: row.organization_id,
      secret: this.#context.cipher.open(row.secret, placeOfSecret(keyId)),
      enabled: row.enabled === 1,
    };
  }

  async #loadRows(keyIds: readonly string[]): Promise<ReadonlyMap<string, CredentialRow>> {
    const rows = await this.#context.database
      .selectFrom('api_keys')
      .select(['id', 'organization_id', 'secret', 'enabled'])
      .where('id', 'in', keyIds)
      .execute();
    return new Map(rows.map((row) => [row.id, row]));
  }
}

/** Whether a key could be named so: what `keyIdSchema` and the generated IDs have in common. */
function isKeyId(text: string): boolean {
  return text.length <= 132 && /^key_[A-Za-z0-9_-]+$/.test(text);
}

function apiKeyOf(row: Row): ApiKey {
  return { ...row, enabled: row.enabled === 1 };
}

/** Where the secret of a key is sealed for. */
export function placeOfSecret(id: string): string {
  return `api_keys.secret ${id}`;
}
