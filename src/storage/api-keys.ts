import { apiKeys } from '../api/resources/api-key.js';
import type { StorageContext } from './context.js';
import { sealedColumns } from './database/tables.js';
import { newSecret } from './identifiers.js';
import { ReadCache } from './read-cache.js';
import type { QuotaReader } from './reading/quotas.js';
import { Resources, type RowPageRequest, type StoredResource } from './resources.js';

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

export type PendingUses = (keyId: string) => string | undefined;

export interface NewApiKey {
  readonly id?: string | undefined;
  readonly name: string;
  readonly secret?: string | undefined;
  readonly enabled?: boolean | undefined;
}

type ApiKeyRow = StoredResource & { readonly enabled: number; readonly last_used_at: string | null };

/** Maximum uses per transaction: it locks the keys' rows until it ends. */
const notedTogether = 100;

/** Milliseconds within which a server notices changes that another server made to API keys. */
const sharedCredentialAge = 500;

/** API keys of all organizations, and the credentials that requests are checked against. */
export class ApiKeys extends Resources<ApiKeyRow, StoredApiKey, NewApiKey, StoredNewApiKey> {
  readonly #context: StorageContext;
  readonly #credentials: ReadCache<KeyCredential>;
  #pendingUses: () => PendingUses = () => () => undefined;

  constructor(context: StorageContext, quotas: QuotaReader) {
    super(context, quotas, apiKeys, {
      create: (id, { name, secret = newSecret(), enabled = true }, now) => ({
        id,
        name,
        enabled,
        last_used_at: null,
        created_at: now,
        secret,
      }),
      toColumns: ({ secret, enabled, ...fields }, id) => ({
        ...fields,
        ...(enabled !== undefined && { enabled: Number(enabled) }),
        ...(secret !== undefined && { secret: context.seal(String(secret), sealedColumns.apiKeys, id) }),
      }),
      fromRow: (row) => ({ ...row, enabled: row.enabled === 1 }),
    });
    this.#context = context;
    this.#credentials = new ReadCache(context.engine.exclusive ? undefined : sharedCredentialAge);
  }

  /** Shows uses that are not written yet. */
  overlayUses(pending: () => PendingUses): void {
    this.#pendingUses = pending;
  }

  override async list(organizationId: string, page: RowPageRequest): Promise<StoredApiKey[]> {
    const uses = this.#pendingUses();
    return (await super.list(organizationId, page)).map((key) => withUse(key, uses));
  }

  override async find(organizationId: string, id: string): Promise<StoredApiKey | undefined> {
    const uses = this.#pendingUses();
    const key = await super.find(organizationId, id);
    return key && withUse(key, uses);
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

  override create(organizationId: string, input: NewApiKey): Promise<StoredNewApiKey> {
    return super.create(organizationId, input, input.id);
  }

  override async update(
    organizationId: string,
    id: string,
    change: (current: StoredApiKey) => StoredApiKey,
  ): Promise<StoredApiKey | undefined> {
    const uses = this.#pendingUses();
    const changed = await super.update(organizationId, id, change).finally(() => this.forget());
    return changed && withUse(changed, uses);
  }

  override delete(organizationId: string, id: string): Promise<boolean> {
    return super.delete(organizationId, id).finally(() => this.forget());
  }

  /** Call it after each write that may change credentials. */
  forget(): void {
    this.#credentials.forgetAll();
  }

  /** @param uses times of last use (ISO 8601) by key ID; deleted keys are skipped */
  async noteUses(uses: ReadonlyMap<string, string>): Promise<void> {
    // A fixed order keeps two servers from deadlocking.
    const ordered = [...uses].sort(([one], [other]) => (one < other ? -1 : 1));
    for (let start = 0; start < ordered.length; start += notedTogether) {
      const some = ordered.slice(start, start + notedTogether);
      await this.#context.engine.write(async (transaction) => {
        for (const [id, usedAt] of some) {
          const key = transaction.updateTable('api_keys').where('id', '=', id);
          await key.set({ last_used_at: usedAt }).execute();
        }
      });
    }
  }

  async listOfAll(): Promise<(StoredApiKey & { readonly organization: string })[]> {
    const uses = this.#pendingUses();
    const rows = await this.#context.engine.database
      .selectFrom('api_keys')
      .select(['id', 'name', 'enabled', 'last_used_at', 'created_at', 'organization_id as organization'])
      .orderBy('sequence')
      .execute();
    return rows.map((row) => withUse({ ...row, enabled: row.enabled === 1 }, uses));
  }

  /** The oldest enabled key, or the oldest key if none is enabled. */
  async oldest(organizationId: string): Promise<KeyCredential | undefined> {
    const row = await this.#context.engine.database
      .selectFrom('api_keys')
      .select('id')
      .where('organization_id', '=', organizationId)
      .orderBy('enabled', 'desc')
      .orderBy('sequence')
      .executeTakeFirst();
    return row && this.credential(row.id);
  }

  async #loadCredential(keyId: string): Promise<KeyCredential | undefined> {
    const row = await this.#context.engine.database
      .selectFrom('api_keys')
      .select(['organization_id', 'secret', 'enabled'])
      .where('id', '=', keyId)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const secret = this.#context.open(row.secret, sealedColumns.apiKeys, keyId);
    return { keyId, organizationId: row.organization_id, secret, enabled: row.enabled === 1 };
  }
}

function withUse<Key extends StoredApiKey>(key: Key, uses: PendingUses): Key {
  const usedAt = uses(key.id);
  return usedAt === undefined ? key : { ...key, last_used_at: usedAt };
}

/** Whether a key can have this ID. `keyIdSchema` (chosen-values.ts) limits the IDs that users choose. */
function isStoredKeyId(text: string): boolean {
  return text.length <= 132 && /^key_[A-Za-z0-9_-]+$/.test(text);
}
