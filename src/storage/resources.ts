import { type Kysely, type SqlBool, sql } from 'kysely';
import { type DeclaredResource, hasQuota } from '../api/resources/index.js';
import type { StorageContext } from './context.js';
import { resourceTables, type Tables } from './database/tables.js';
import { newIdentifier } from './identifiers.js';
import { insertRow, type QuotaReader, releaseQuota } from './reading/quotas.js';

export type ResourceFields = Readonly<Record<string, unknown>>;
export type NamedFields = ResourceFields & { readonly name: string };

export interface StoredResource extends ResourceFields {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

export interface RowPageRequest extends RowSearch {
  readonly page: number;
  readonly limit: number;
  /** Continues after the row with this sequence; overrides `page` and `search`. */
  readonly after?: number | undefined;
}

export interface RowSearch {
  /** Part of the name, or the whole ID. In names, at least the case of ASCII letters is ignored. */
  readonly search?: string | undefined;
}

/** How one kind's resources are made, and stand in rows. */
export interface Storing<Row, Resource, Input, Created = Resource> {
  create(id: string, input: Input, now: string): Created;
  toColumns(fields: ResourceFields, id: string): ResourceFields;
  fromRow(row: Row): Resource;
}

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
  createWithin(
    database: Kysely<Tables>,
    organizationId: string,
    input: NamedFields,
    id?: string,
  ): Promise<StoredResource>;
}

export class Resources<
  Row extends StoredResource = StoredResource,
  Resource extends StoredResource = StoredResource,
  Input = NamedFields,
  Created extends Resource = Resource,
> {
  readonly #context: StorageContext;
  readonly #quotas: QuotaReader;
  readonly #resource: DeclaredResource;
  readonly #storing: Storing<Row, Resource, Input, Created>;
  readonly #fields: readonly string[];

  constructor(
    context: StorageContext,
    quotas: QuotaReader,
    resource: DeclaredResource,
    storing: Storing<Row, Resource, Input, Created>,
  ) {
    this.#context = context;
    this.#quotas = quotas;
    this.#resource = resource;
    this.#storing = storing;
    this.#fields = Object.keys(resource.answer().shape);
  }

  /** One page, oldest first. */
  async list(
    organizationId: string,
    { page, limit, search = '', after }: RowPageRequest,
  ): Promise<Resource[]> {
    const own = this.#own(organizationId)
      .select(this.#fields)
      .orderBy('sequence')
      .limit(limit)
      .$castTo<Row>();
    const query =
      after === undefined
        ? own.offset((page - 1) * limit).$if(search !== '', (some) => some.where(isFoundBy(search)))
        : own.where('sequence', '>', after);
    return (await query.execute()).map((row) => this.#storing.fromRow(row));
  }

  /** Only for searches and for kinds without a quota: a quota record already counts its resources. */
  async count(organizationId: string, { search = '' }: RowSearch = {}): Promise<number> {
    const { count } = await this.#own(organizationId)
      .select((column) => column.fn.countAll().as('count'))
      .$if(search !== '', (query) => query.where(isFoundBy(search)))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async find(organizationId: string, id: string): Promise<Resource | undefined> {
    const query = this.#own(organizationId).select(this.#fields).where('id', '=', id).$castTo<Row>();
    const [row] = await query.execute();
    return row && this.#storing.fromRow(row);
  }

  /** @throws QuotaExceeded */
  create(organizationId: string, input: Input, id = this.newIdentifier()): Promise<Created> {
    return this.#context.engine
      .writeOnce((database) => this.createWithin(database, organizationId, input, id))
      .finally(() => this.#forgetQuota());
  }

  /** Like `create`, in the caller's write. */
  async createWithin(
    database: Kysely<Tables>,
    organizationId: string,
    input: Input,
    id = this.newIdentifier(),
  ): Promise<Created> {
    const created = this.#storing.create(id, input, this.#context.now());
    const { table } = this.#resource;
    const kind = hasQuota(this.#resource) ? this.#resource.kind : undefined;
    const columns = { ...this.#storing.toColumns(created, id), organization_id: organizationId };
    await insertRow(this.#context.engine, database, { organizationId, kind, table, columns });
    return created;
  }

  /** Changes nothing if `change` throws. Locks the row first, so that concurrent changes lose no fields. */
  update(
    organizationId: string,
    id: string,
    change: (current: Resource) => Resource,
  ): Promise<Resource | undefined> {
    const stamp = this.#fields.includes('updated_at') ? { updated_at: this.#context.now() } : {};
    return this.#context.engine.write(async (transaction) => {
      const table = resourceTables(transaction)
        .updateTable(this.#resource.table)
        .where('id', '=', id)
        .where('organization_id', '=', organizationId);
      const locking = table.set({ name: sql.ref<string>('name'), ...stamp }).returning(this.#fields);
      const [row] = await locking.$castTo<Row>().execute();
      if (row === undefined) return undefined;
      const current = this.#storing.fromRow(row);
      const changed = change(current);
      const fields = Object.entries(changed).filter(([field, value]) => value !== current[field]);
      const columns = this.#storing.toColumns(Object.fromEntries(fields), id);
      if (fields.length > 0) await table.set(columns).execute();
      return changed;
    });
  }

  /** @returns whether it existed */
  delete(organizationId: string, id: string): Promise<boolean> {
    const deleted = this.#context.engine.write(async (transaction) => {
      if (hasQuota(this.#resource)) await releaseQuota(transaction, organizationId, this.#resource.kind);
      const rows = resourceTables(transaction).deleteFrom(this.#resource.table).returning('id');
      const own = rows.where('id', '=', id).where('organization_id', '=', organizationId);
      if ((await own.executeTakeFirst()) === undefined) throw new NotThere();
      return true;
    });
    return deleted
      .catch((error: unknown) => {
        if (error instanceof NotThere) return false;
        throw error;
      })
      .finally(() => this.#forgetQuota());
  }

  newIdentifier(): string {
    return newIdentifier(this.#resource.idPrefix);
  }

  #own(organizationId: string) {
    return resourceTables(this.#context.engine.database)
      .selectFrom(this.#resource.table)
      .where('organization_id', '=', organizationId);
  }

  #forgetQuota(): void {
    if (hasQuota(this.#resource)) this.#quotas.forget();
  }
}

/** Rolls back a deletion that found nothing. */
class NotThere extends Error {}

/** Does not use `like`, which would interpret wildcards in the search. */
function isFoundBy(search: string) {
  return sql<SqlBool>`(replace(lower(name), lower(${search}), '') <> lower(name) or id = ${search})`;
}
