import { type Kysely, type QueryResult, sql, type Transaction } from 'kysely';
import { type DeclaredResource, hasQuota } from '../api/resources/index.js';
import { compiledOnce } from './database/compiled-once.js';
import type { NewRow, RowCreation, StorageContext } from './database/context.js';
import { newIdentifier } from './database/random.js';
import { resourceTables, type Tables } from './database/tables.js';
import type { IsDone } from './database/transact.js';
import { isSealed } from './encryption/sealed-columns.js';
import { isFoundBy, listReader, type RowPageRequest, type RowSearch } from './reading/list-page.js';
import { releaseQuota } from './reading/quotas.js';
import { createWithin } from './writing/creations.js';

export type { RowPageRequest, RowSearch } from './reading/list-page.js';

export type ResourceFields = Readonly<Record<string, unknown>>;

export interface StoredResource extends ResourceFields {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

export interface Identified {
  readonly organizationId: string;
  readonly id: string;
}

export interface Storing<Row, Resource, Input, Created = Resource> {
  create(id: string, input: Input, now: string): Created;
  toColumns(field: string, value: unknown, id: string): ResourceFields;
  fromRow(row: Row): Resource;
}

export type NamedFields = ResourceFields & { readonly name: string };

/** One kind's repository. Inputs are already validated by the declaration's schemas. */
export interface Repository {
  list(organizationId: string, page: RowPageRequest): Promise<readonly StoredResource[]>;
  count(organizationId: string, search?: RowSearch): Promise<number>;
  find(organizationId: string, id: string): Promise<StoredResource | undefined>;
  create(organizationId: string, input: NamedFields): Promise<StoredResource>;
  update(
    organizationId: string,
    id: string,
    change: (current: StoredResource) => StoredResource,
  ): Promise<StoredResource | undefined>;
  delete(organizationId: string, id: string): Promise<boolean>;
  row(organizationId: string, input: NamedFields, id: string, now: string): ResourceFields;
}

export class Resources<
  Row extends StoredResource = StoredResource,
  Resource extends StoredResource = StoredResource,
  Input = NamedFields,
  Created extends Resource = Resource,
> {
  readonly #context: StorageContext;
  readonly #resource: DeclaredResource;
  readonly #storing: Storing<Row, Resource, Input, Created>;
  readonly #fields: readonly string[];
  readonly #page: (organizationId: string, page: RowPageRequest) => Promise<Row[]>;
  readonly #find: (database: Kysely<Tables>, which: Identified) => Promise<QueryResult<Row>>;

  constructor(
    context: StorageContext,
    resource: DeclaredResource,
    storing: Storing<Row, Resource, Input, Created>,
  ) {
    this.#context = context;
    this.#resource = resource;
    this.#storing = storing;
    this.#fields = Object.keys(resource.answer().shape);
    this.#page = listReader(context, resource.table, (query) => query.select(this.#fields).$castTo<Row>());
    this.#find = compiledOnce<Identified, Row>((database, parameter) =>
      resourceTables(database)
        .selectFrom(resource.table)
        .select(this.#fields)
        .where('id', '=', parameter('id'))
        .where('organization_id', '=', parameter('organizationId'))
        .$castTo<Row>(),
    );
  }

  async list(organizationId: string, page: RowPageRequest): Promise<Resource[]> {
    return (await this.#page(organizationId, page)).map((row) => this.#storing.fromRow(row));
  }

  /** Only for searches and for kinds without a quota: a quota record already counts its resources. */
  async count(organizationId: string, { search = '' }: RowSearch = {}): Promise<number> {
    const { count } = await resourceTables(this.#context.database)
      .selectFrom(this.#resource.table)
      .select((column) => column.fn.countAll().as('count'))
      .where('organization_id', '=', organizationId)
      .$if(search !== '', (query) => query.where(isFoundBy(search)))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async find(organizationId: string, id: string): Promise<Resource | undefined> {
    const { rows } = await this.#find(this.#context.database, { organizationId, id });
    const [row] = rows;
    return row && this.#storing.fromRow(row);
  }

  /** @throws QuotaExceeded, and the other errors of `StorageContext.create` */
  async create(organizationId: string, input: Input, id = this.newIdentifier()): Promise<Created> {
    const { created, creation } = this.#prepare(organizationId, input, id, this.#context.now());
    await this.#context.create(creation);
    return created;
  }

  /** Like `create`, but in the caller's transaction, which needs `seals` if the table has sealed values. */
  async createWithin(
    transaction: Transaction<Tables>,
    organizationId: string,
    input: Input,
    id = this.newIdentifier(),
  ): Promise<Created> {
    const { created, creation } = this.#prepare(organizationId, input, id, this.#context.now());
    await createWithin(transaction, creation);
    return created;
  }

  /** Changes nothing if `change` throws. Locks the row first, so that concurrent changes lose no fields. */
  update(
    organizationId: string,
    id: string,
    change: (current: Resource) => Resource,
  ): Promise<Resource | undefined> {
    const stamp = this.#fields.includes('updated_at') ? { updated_at: this.#context.now() } : {};
    const lock = { name: sql.ref<string>('name'), ...stamp };
    let written: ResourceFields = {};
    return this.#context.write(
      undefined,
      async (transaction) => {
        const table = resourceTables(transaction).updateTable(this.#resource.table).where('id', '=', id);
        const [row] = await table
          .where('organization_id', '=', organizationId)
          .set(lock)
          .returning(this.#fields)
          .$castTo<Row>()
          .execute();
        if (row === undefined) return undefined;
        const current = this.#storing.fromRow(row);
        const changed = change(current);
        const changes = this.#changes(current, changed);
        if (Object.keys(changes).length > 0) await table.set(changes).execute();
        written = { ...changes, ...stamp };
        return changed;
      },
      { isDone: this.#isChanged(id, () => written), seals: isSealed(this.#resource.table) },
    );
  }

  delete(organizationId: string, id: string): Promise<boolean> {
    const isThere = this.#isMade(id);
    return this.#context.write(
      this.#quotaOf(organizationId),
      async (transaction) => {
        const deleted = await resourceTables(transaction)
          .deleteFrom(this.#resource.table)
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .returning('id')
          .executeTakeFirst();
        if (deleted === undefined) return false;
        if (hasQuota(this.#resource)) {
          await releaseQuota(transaction, organizationId, this.#resource.kind);
        }
        return true;
      },
      // If another request deleted it, the result is the same.
      { isDone: async (database) => !(await isThere(database, undefined)) },
    );
  }

  row(organizationId: string, input: Input, id: string, now: string): ResourceFields {
    return this.#prepare(organizationId, input, id, now).creation.row;
  }

  newIdentifier(): string {
    return newIdentifier(this.#resource.idPrefix);
  }

  #prepare(organizationId: string, input: Input, id: string, now: string) {
    const created = this.#storing.create(id, input, now);
    const row: NewRow = { ...this.#toColumns(created, id), id, organization_id: organizationId };
    const { table } = this.#resource;
    const quota = hasQuota(this.#resource) ? this.#resource.kind : undefined;
    const creation: RowCreation = { organizationId, quota, table, row, seals: isSealed(table) };
    return { created, creation };
  }

  #quotaOf(organizationId: string): string | undefined {
    return hasQuota(this.#resource) ? organizationId : undefined;
  }

  #changes(current: Resource, changed: Resource): ResourceFields {
    const fields = Object.entries(changed).filter(([field, value]) => value !== current[field]);
    return this.#toColumns(Object.fromEntries(fields), current.id);
  }

  #toColumns(fields: ResourceFields, id: string): ResourceFields {
    const columns = Object.entries(fields).flatMap(([field, value]) =>
      Object.entries(this.#storing.toColumns(field, value, id)),
    );
    return Object.fromEntries(columns);
  }

  #isMade(id: string): IsDone<unknown> {
    return async (database) => {
      const query = resourceTables(database)
        .selectFrom(this.#resource.table)
        .select('id')
        .where('id', '=', id);
      return (await query.executeTakeFirst()) !== undefined;
    };
  }

  /** Whether a change is visible; `undefined` if not, because a later write may have replaced it. */
  #isChanged(id: string, written: () => ResourceFields): IsDone<Resource | undefined> {
    return async (database, changed) => {
      if (changed === undefined) return true;
      const columns = Object.keys(written());
      if (columns.length === 0) return true;
      const query = resourceTables(database)
        .selectFrom(this.#resource.table)
        .select(columns)
        .where('id', '=', id);
      const row: ResourceFields | undefined = await query.executeTakeFirst();
      const isSeen = row && columns.every((column) => isSame(row[column], written()[column]));
      return isSeen || undefined;
    };
  }
}

/** Equal bytes show that a sealed value is the written one, because sealing a value again gives other bytes. */
function isSame(stored: unknown, written: unknown): boolean {
  if (!(written instanceof Uint8Array)) return stored === written;
  const isBytes = stored instanceof Uint8Array || stored instanceof ArrayBuffer;
  return isBytes && Buffer.from(written).equals(new Uint8Array(stored));
}
