import type { Transaction } from 'kysely';
import type { QuotaRecord } from '../api/quota.js';
import { limitedResources, type QuotaKind } from '../api/resources/index.js';
import type { ApiKeys, KeyCredential, NewApiKey } from './api-keys.js';
import type { StorageContext } from './database/context.js';
import { newIdentifier } from './database/random.js';
import { readSetting, writeSetting } from './database/settings.js';
import type { Tables } from './database/tables.js';
import { allQuotas } from './reading/quotas.js';

/** Limits by kind; a missing kind gets its declared limit. */
export type QuotaLimits = Readonly<Partial<Record<QuotaKind, number>>>;

interface StoredOrganization {
  readonly id: string;
  readonly name: string;
}

/** An organization with its time of creation (ISO 8601) and its quotas. */
export interface ListedOrganization extends StoredOrganization {
  readonly created_at: string;
  readonly quotas: QuotaRecord;
}

/** The organizations of a store, and its first key. */
export class Organizations {
  readonly #context: StorageContext;
  readonly #apiKeys: ApiKeys;

  constructor(context: StorageContext, apiKeys: ApiKeys) {
    this.#context = context;
    this.#apiKeys = apiKeys;
  }

  /** The first key if it is enabled; otherwise the first organization's oldest key, preferably an enabled one. */
  async firstKey(): Promise<KeyCredential | undefined> {
    const issued = await this.#storedFirstKey();
    if (issued?.enabled) return issued;
    const organizationId = await this.first();
    const oldest = organizationId === undefined ? undefined : await this.#apiKeys.oldest(organizationId);
    return oldest ?? issued;
  }

  /** The first key, only if it is enabled. */
  async issuedFirstKey(): Promise<KeyCredential | undefined> {
    const issued = await this.#storedFirstKey();
    return issued?.enabled ? issued : undefined;
  }

  async #storedFirstKey(): Promise<KeyCredential | undefined> {
    const keyId = await readSetting(this.#context.database, 'first_key');
    return keyId === undefined ? undefined : this.#apiKeys.credential(keyId);
  }

  async list(): Promise<ListedOrganization[]> {
    const { database } = this.#context;
    const rows = await database
      .selectFrom('organizations')
      .select(['id', 'name', 'created_at'])
      .orderBy('sequence')
      .execute();
    const records = await allQuotas(database);
    return rows.map((row) => ({ ...row, quotas: records.get(row.id) ?? {} }));
  }

  first(): Promise<string | undefined> {
    return readSetting(this.#context.database, 'first_organization');
  }

  /** Creates the first organization, its quotas and first key, all or nothing. */
  createFirst(name: string, limits: QuotaLimits, key: NewApiKey): Promise<KeyCredential> {
    const organizationId = newIdentifier('org');
    return this.#context.write(
      organizationId,
      async (transaction) => {
        await this.#insert(transaction, { id: organizationId, name }, limits);
        await writeSetting(transaction, 'first_organization', organizationId);
        return this.#issueFirst(transaction, organizationId, key);
      },
      { seals: true },
    );
  }

  /** Replaces the first key, for example because it is disabled. @throws QuotaExceeded */
  issueFirstKey(organizationId: string, key: NewApiKey): Promise<KeyCredential> {
    return this.#context.write(
      organizationId,
      (transaction) => this.#issueFirst(transaction, organizationId, key),
      { seals: true },
    );
  }

  async #issueFirst(
    transaction: Transaction<Tables>,
    organizationId: string,
    key: NewApiKey,
  ): Promise<KeyCredential> {
    const issued = await this.#apiKeys.createWithin(transaction, organizationId, key, key.id);
    await writeSetting(transaction, 'first_key', issued.id);
    return { keyId: issued.id, organizationId, secret: issued.secret, enabled: true };
  }

  async #insert(
    transaction: Transaction<Tables>,
    organization: StoredOrganization,
    limits: QuotaLimits,
  ): Promise<void> {
    await transaction
      .insertInto('organizations')
      .values({ ...organization, created_at: this.#context.now() })
      .execute();
    await transaction
      .insertInto('quotas')
      .values(
        limitedResources.map(({ kind, quota }) => ({
          organization_id: organization.id,
          kind,
          quota_limit: limits[kind] ?? quota,
          used: 0,
        })),
      )
      .execute();
  }
}
