import type { Kysely } from 'kysely';
import type { QuotaRecord } from '../api/quota.js';
import { type QuotaKind, resources } from '../api/resources/index.js';
import type { ApiKeys, KeyCredential, NewApiKey } from './api-keys.js';
import { readRecord } from './quotas.js';
import { newIdentifier } from './resources.js';
import type { StorageContext } from './schema.js';
import { readSetting, type Tables, writeSetting } from './tables.js';

type QuotaLimits = Readonly<Partial<Record<QuotaKind, number>>>;

export interface ListedOrganization {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly quotas: QuotaRecord;
}

export class Organizations {
  readonly #context: StorageContext;
  readonly #apiKeys: ApiKeys;

  constructor(context: StorageContext, apiKeys: ApiKeys) {
    this.#context = context;
    this.#apiKeys = apiKeys;
  }

  /** The first key if it is enabled; otherwise the first organization's oldest key, preferably an enabled one. */
  async firstKey(): Promise<KeyCredential | undefined> {
    return (await this.issuedFirstKey()) ?? this.#apiKeys.oldest((await this.first()) ?? '');
  }

  /** The first key, only if it is enabled. */
  async issuedFirstKey(): Promise<KeyCredential | undefined> {
    const keyId = await readSetting(this.#context.engine.database, 'first_key');
    const issued = await this.#apiKeys.credential(keyId ?? '');
    return issued?.enabled ? issued : undefined;
  }

  async list(): Promise<ListedOrganization[]> {
    const { database } = this.#context.engine;
    const query = database.selectFrom('organizations').select(['id', 'name', 'created_at']);
    const rows = await query.orderBy('sequence').execute();
    return Promise.all(rows.map(async (row) => ({ ...row, quotas: await readRecord(database, row.id) })));
  }

  first(): Promise<string | undefined> {
    return readSetting(this.#context.engine.database, 'first_organization');
  }

  /** Chooses the server's own organization and key, in the caller's write. */
  async chooseFirst(
    database: Kysely<Tables>,
    organizationId: string | undefined,
    keyId: string | undefined,
  ): Promise<void> {
    await writeSetting(database, 'first_organization', organizationId);
    await writeSetting(database, 'first_key', keyId);
  }

  /** Creates an organization and its key, or neither. @param isFirst whether they become the server's own */
  create(name: string, limits: QuotaLimits, key: NewApiKey, isFirst = false) {
    return this.#context.engine.writeAlone(async (transaction) => {
      const id = await this.createWithin(transaction, { name }, limits);
      const { keyId, secret } = await this.#issue(transaction, id, key, isFirst);
      return { id, name, keyId, secret };
    });
  }

  /** Replaces the first key, for example because it is disabled. @throws QuotaExceeded */
  issueFirstKey(organizationId: string, key: NewApiKey): Promise<KeyCredential> {
    return this.#context.engine
      .write((transaction) => this.#issue(transaction, organizationId, key, true))
      .finally(() => this.#apiKeys.forget());
  }

  async #issue(database: Kysely<Tables>, organizationId: string, key: NewApiKey, isFirst: boolean) {
    const { id: keyId, secret } = await this.#apiKeys.createWithin(database, organizationId, key);
    if (isFirst) await this.chooseFirst(database, organizationId, keyId);
    return { keyId, organizationId, secret, enabled: true };
  }

  /** Creates an organization in the caller's write. @returns its ID */
  async createWithin(
    database: Kysely<Tables>,
    { id = newIdentifier('org'), name }: { readonly id?: string | undefined; readonly name: string },
    limits: QuotaLimits,
  ): Promise<string> {
    const created = { id, name, created_at: this.#context.now() };
    await database.insertInto('organizations').values(created).execute();
    const quotas = resources.map(({ kind, quota }) => {
      return { organization_id: id, kind, quota_limit: limits[kind] ?? quota, used: 0 };
    });
    await database.insertInto('quotas').values(quotas).execute();
    return id;
  }
}
