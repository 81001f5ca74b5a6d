import { randomBytes } from 'node:crypto';
import { apiKeys, secretLength } from '../api/resources/api-key.js';
import { openSealed, type StorageContext } from './columns.js';
import type { QuotaReader } from './quotas.js';
import { ReadCache } from './read-cache.js';
import { Resources, type StoredResource } from './resources.js';
import { sealedColumns } from './tables.js';

export interface StoredApiKey extends StoredResource {
  readonly enabled: boolean;
  readonly last_used_at: string | null;
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

/** The time of a key's last use if it is not written yet. */
export type PendingUses = (keyId: string) => string | undefined;

export interface NewApiKey {
  readonly id?: string | undefined;
  readonly name: string;
  readonly secret?: string | undefined;
  readonly enabled?: boolean | undefined;
}

/** Milliseconds until a server notices changes of another one. */
const sharedCredentialAge = 500;

export class ApiKeys extends Resources<StoredApiKey, NewApiKey, StoredNewApiKey> {
  readonly #credentials: ReadCache<KeyCredential>;
  #pendingUses: () => PendingUses = () => () => undefined;

  constructor(context: StorageContext, quotas: QuotaReader) {
    super(context, quotas, apiKeys, (id, { name, secret = newSecret(), enabled = true }, now) => {
      return { id, name, enabled, last_used_at: null, created_at: now, secret };
    });
    this.#credentials = new ReadCache(context.engine.exclusive ? undefined : sharedCredentialAge);
  }

  /** Shows uses that are not written yet. */
  overlayUses(pending: () => PendingUses): void {
    this.#pendingUses = pending;
  }

  protected override read(row: StoredApiKey): StoredApiKey {
    const key = super.read(row);
    return { ...key, last_used_at: this.#pendingUses()(key.id) ?? key.last_used_at };
  }

  override create(organizationId: string, input: NewApiKey): Promise<StoredNewApiKey> {
    return super.create(organizationId, input, input.id);
  }

  override forget(): void {
    super.forget();
    this.#credentials.forgetAll();
  }

  async credential(keyId: string): Promise<KeyCredential | undefined> {
    // Impossible IDs are not looked up: they can be long, and a database may refuse the text.
    if (!isStoredKeyId(keyId)) return undefined;
    return this.#credentials.read(keyId, () => this.#loadCredential(keyId));
  }

  /** The credential if it is in memory. */
  keptCredential(keyId: string): KeyCredential | undefined {
    return this.#credentials.kept(keyId);
  }

  /** @param uses times of last use (ISO 8601) by key ID; deleted keys are skipped */
  async noteUses(uses: ReadonlyMap<string, string>): Promise<void> {
    // A fixed order keeps two servers from deadlocking.
    const ordered = [...uses].sort(([one], [other]) => (one < other ? -1 : 1));
    await this.context.engine.write(async (transaction) => {
      for (const [id, last_used_at] of ordered)
        await transaction.updateTable('api_keys').where('id', '=', id).set({ last_used_at }).execute();
    });
  }

  async listOfAll(): Promise<(StoredApiKey & { readonly organization: string })[]> {
    const keys = this.context.engine.database.selectFrom('api_keys').orderBy('sequence');
    const rows = await keys
      .select(['id', 'name', 'enabled', 'last_used_at', 'created_at', 'organization_id as organization'])
      .$castTo<StoredApiKey & { readonly organization: string }>()
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

function isStoredKeyId(text: string): boolean {
  return text.length <= 132 && /^key_[A-Za-z0-9_-]+$/.test(text);
}
