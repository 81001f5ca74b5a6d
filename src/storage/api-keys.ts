import { randomBytes } from 'node:crypto';
import { apiKeys } from '../api/resources/api-key.js';
import { isKeyId, secretLength } from '../redaction/harmless.js';
import type { QuotaReader } from './quotas.js';
import { ReadCache } from './read-cache.js';
import { Resources, type StoredResource } from './resources.js';
import { openSealed, type StorageContext } from './schema.js';
import { sealedColumns } from './tables.js';

export interface StoredApiKey extends StoredResource {
  readonly enabled: boolean;
  readonly last_used_at: string | null;
}

export interface ListedApiKey extends StoredApiKey {
  readonly organization: string;
}

export interface StoredNewApiKey extends StoredApiKey {
  readonly secret: string;
}

export interface KeyCredential {
  readonly keyId: string;
  readonly organizationId: string;
  readonly secret: string;
  readonly enabled: boolean;
}

export interface NewApiKey {
  readonly id?: string | undefined;
  readonly name: string;
  readonly secret?: string | undefined;
  readonly enabled?: boolean | undefined;
}

/** Milliseconds until a server notices another server's changes. */
const sharedCredentialAge = 500;

export class ApiKeys extends Resources<StoredApiKey, NewApiKey, StoredNewApiKey> {
  readonly #credentials: ReadCache<KeyCredential>;
  /** When keys were last used, if that is not stored yet. */
  readonly #uses = new Map<string, number>();

  constructor(context: StorageContext, quotas: QuotaReader) {
    super(context, quotas, apiKeys, (id, { name, secret = newSecret(), enabled = true }, now) => {
      return { id, name, enabled, last_used_at: null, created_at: now, secret };
    });
    this.#credentials = new ReadCache(context.engine.exclusive ? undefined : sharedCredentialAge);
  }

  protected override read(row: StoredApiKey): StoredApiKey {
    const key = super.read(row);
    const use = this.#uses.get(key.id);
    return use === undefined ? key : { ...key, last_used_at: new Date(use).toISOString() };
  }

  override forget(): void {
    super.forget();
    this.#credentials.forgetAll();
  }

  async credential(keyId: string): Promise<KeyCredential | undefined> {
    // Impossible IDs are not looked up: they can be long, and a database may refuse the text.
    if (!isKeyId(keyId)) return undefined;
    return this.#credentials.read(keyId, () => this.#loadCredential(keyId));
  }

  keptCredential(keyId: string): KeyCredential | undefined {
    return this.#credentials.kept(keyId);
  }

  /** Reads on this server show the use at once. @param time milliseconds since the epoch */
  noteUse(keyId: string, time: number): void {
    this.#uses.set(keyId, time);
  }

  /** Stores the noted uses; skips deleted keys. */
  async writeUses(): Promise<void> {
    // A fixed order keeps two servers from deadlocking.
    const uses = [...this.#uses].sort(([one], [other]) => (one < other ? -1 : 1));
    if (uses.length === 0) return;
    await this.context.engine.write(async (transaction) => {
      for (const [id, time] of uses) {
        const used = { last_used_at: new Date(time).toISOString() };
        await transaction.updateTable('api_keys').where('id', '=', id).set(used).execute();
      }
    });
    for (const [id, time] of uses) if (this.#uses.get(id) === time) this.#uses.delete(id);
  }

  async listOfAll(): Promise<ListedApiKey[]> {
    const keys = this.context.engine.database.selectFrom('api_keys').orderBy('sequence');
    const rows = await keys
      .select(['id', 'name', 'enabled', 'last_used_at', 'created_at', 'organization_id as organization'])
      .$castTo<ListedApiKey>()
      .execute();
    return rows.map((row) => ({ ...this.read(row), organization: row.organization }));
  }

  /** The oldest enabled key, or the oldest key if none is enabled. */
  async oldest(organizationId: string): Promise<KeyCredential | undefined> {
    const keys = this.context.engine.database.selectFrom('api_keys').select('id');
    const own = keys.where('organization_id', '=', organizationId).orderBy('enabled', 'desc');
    const row = await own.orderBy('sequence').executeTakeFirst();
    return row && this.credential(row.id);
  }

  async #loadCredential(keyId: string): Promise<KeyCredential | undefined> {
    const keys = this.context.engine.database.selectFrom('api_keys');
    const query = keys.select(['organization_id', 'secret', 'enabled']).where('id', '=', keyId);
    const row = await query.executeTakeFirst();
    if (row === undefined) return undefined;
    const secret = openSealed(row.secret, sealedColumns.apiKeys, this.context, keyId);
    return { keyId, organizationId: row.organization_id, secret, enabled: row.enabled === 1 };
  }
}

export function newSecret(): string {
  return randomBytes(secretLength / 2).toString('hex');
}
