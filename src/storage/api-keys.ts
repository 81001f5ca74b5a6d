import type { Selectable } from 'kysely';
import { apiKeys } from '../api/resources/api-key.js';
import type { Cipher } from './database/cipher.js';
import type { StorageContext } from './database/context.js';
import { newSecret } from './database/random.js';
import type { Tables } from './database/tables.js';
import { additionalData, sealedColumns } from './encryption/sealed-columns.js';
import { BatchedLoad } from './reading/batched-load.js';
import type { ReadCache } from './reading/read-cache.js';
import { Resources, type RowPageRequest, type StoredResource, type Storing } from './resources.js';

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
  readonly enabled?: boolean;
}

type ApiKeyRow = StoredResource & Pick<Selectable<Tables['api_keys']>, 'enabled' | 'last_used_at'>;
type CredentialRow = Pick<Selectable<Tables['api_keys']>, 'organization_id' | 'secret' | 'enabled'>;

const sealedSecret = sealedColumns.apiKeys;

/** Maximum uses per transaction: it locks the keys' rows until it ends. */
const notedTogether = 100;

/** API keys of all organizations, and the credentials that requests are checked against. */
export class ApiKeys extends Resources<ApiKeyRow, StoredApiKey, NewApiKey, StoredNewApiKey> {
  readonly #context: StorageContext;
  readonly #credentials: ReadCache<KeyCredential>;
  #pendingUses: () => PendingUses = () => () => undefined;
  readonly #rows = new BatchedLoad<CredentialRow>((keyIds) => this.#loadRows(keyIds));

  constructor(context: StorageContext, credentials: ReadCache<KeyCredential>) {
    super(context, apiKeys, storeKeys(context.cipher));
    this.#context = context;
    this.#credentials = credentials;
  }

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
    // Impossible IDs are neither looked up nor cached: they can be long, and a database may refuse the text.
    if (!isStoredKeyId(keyId)) return undefined;
    return this.#credentials.read(keyId, () => this.#loadCredential(keyId));
  }

  keptCredential(keyId: string): KeyCredential | undefined {
    return this.#credentials.kept(keyId);
  }

  override create(organizationId: string, input: NewApiKey): Promise<StoredNewApiKey> {
    const { id = this.newIdentifier() } = input;
    // The ID may be cached as absent.
    return super.create(organizationId, input, id).finally(() => this.#credentials.forget(id));
  }

  override async update(
    organizationId: string,
    id: string,
    change: (current: StoredApiKey) => StoredApiKey,
  ): Promise<StoredApiKey | undefined> {
    const uses = this.#pendingUses();
    const changed = await super.update(organizationId, id, change);
    this.#credentials.forget(id);
    return changed && withUse(changed, uses);
  }

  override async delete(organizationId: string, id: string): Promise<boolean> {
    const deleted = await super.delete(organizationId, id);
    this.#credentials.forget(id);
    return deleted;
  }

  /** @param uses times of last use (ISO 8601) by key ID; deleted keys are skipped */
  async noteUses(uses: ReadonlyMap<string, string>): Promise<void> {
    // A fixed order keeps two servers from deadlocking.
    const ordered = [...uses].sort(([one], [other]) => (one < other ? -1 : 1));
    for (let start = 0; start < ordered.length; start += notedTogether) {
      await this.#noteSome(ordered.slice(start, start + notedTogether));
    }
  }

  #noteSome(uses: readonly (readonly [id: string, usedAt: string])[]): Promise<void> {
    return this.#context.write(undefined, async (transaction) => {
      for (const [id, usedAt] of uses) {
        await transaction
          .updateTable('api_keys')
          .set({ last_used_at: usedAt })
          .where('id', '=', id)
          .execute();
      }
    });
  }

  async listOfAll(): Promise<(StoredApiKey & { readonly organization: string })[]> {
    const uses = this.#pendingUses();
    const rows = await this.#context.database
      .selectFrom('api_keys')
      .select(['id', 'name', 'enabled', 'last_used_at', 'created_at', 'organization_id as organization'])
      .orderBy('sequence')
      .execute();
    return rows.map((row) => withUse({ ...row, enabled: row.enabled === 1 }, uses));
  }

  /** The oldest enabled key, or the oldest key if none is enabled. */
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
      secret: this.#context.cipher.open(row.secret, additionalData(sealedSecret, keyId)),
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

function withUse<Key extends StoredApiKey>(key: Key, uses: PendingUses): Key {
  const usedAt = uses(key.id);
  return usedAt === undefined ? key : { ...key, last_used_at: usedAt };
}

/** Whether a key can have this ID. `keyIdSchema` (chosen-values.ts) limits the IDs that users choose. */
function isStoredKeyId(text: string): boolean {
  return text.length <= 132 && /^key_[A-Za-z0-9_-]+$/.test(text);
}

function storeKeys(cipher: Cipher): Storing<ApiKeyRow, StoredApiKey, NewApiKey, StoredNewApiKey> {
  return {
    create: (id, { name, secret = newSecret(), enabled = true }, now) => ({
      id,
      name,
      enabled,
      last_used_at: null,
      created_at: now,
      secret,
    }),
    toColumns(field, value, id) {
      if (field === sealedSecret.column) {
        return { [field]: cipher.seal(String(value), additionalData(sealedSecret, id)) };
      }
      return { [field]: field === 'enabled' ? Number(value) : value };
    },
    fromRow: (row) => ({ ...row, enabled: row.enabled === 1 }),
  };
}
