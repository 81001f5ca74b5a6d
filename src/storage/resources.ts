import { randomBytes } from 'node:crypto';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { DeclaredResource } from '../api/resources/index.js';
import { type Column, columnsOf, type StorageContext } from './columns.js';
import { changeUsed, insertRow, type QuotaReader } from './quotas.js';
import { resourceTables, type Tables } from './tables.js';

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
  /** A row's sequence; overrides `page` and `search`. */
  readonly after?: number | undefined;
}

interface RowSearch {
  /** Part of the name, or the whole ID. */
  readonly search?: string | undefined;
}

type Make<Input, Created> = (id: string, input: Input, now: string) => Created;

/** One kind's repository. Inputs are already validated by the declaration's schemas. */
export class Resources<
  Resource extends StoredResource = StoredResource,
  Input = NamedFields,
  Created extends Resource = Resource,
> {
  protected readonly context: StorageContext;
  readonly #quotas: QuotaReader;
  readonly #resource: DeclaredResource;
  readonly #make: Make<Input, Created>;
  readonly #columns: readonly Column[];
  readonly #fields: readonly string[];

  constructor(
    context: StorageContext,
    quotas: QuotaReader,
    resource: DeclaredResource,
    make: Make<Input, Created>,
  ) {
    [this.context, this.#quotas, this.#resource, this.#make] = [context, quotas, resource, make];
    [this.#columns, this.#fields] = [columnsOf(resource), Object.keys(resource.answer().shape)];
  }

  /** One page, oldest first. */
  async list(
    organizationId: string,
    { page, limit, search = '', after }: RowPageRequest,
  ): Promise<Resource[]> {
    const all = this.#own(organizationId).select(this.#fields).orderBy('sequence');
    const own = all.limit(limit).$castTo<Resource>();
    const query =
      after === undefined
        ? own.offset((page - 1) * limit).$if(search !== '', (some) => some.where(isFoundBy(search)))
        : own.where('sequence', '>', after);
    return (await query.execute()).map((row) => this.read(row));
  }

  /** Only for searches: a quota record already counts all resources. */
  async count(organizationId: string, { search = '' }: RowSearch = {}): Promise<number> {
    const all = this.#own(organizationId).select((column) => column.fn.countAll().as('count'));
    const query = all.$if(search !== '', (some) => some.where(isFoundBy(search)));
    return Number((await query.executeTakeFirstOrThrow()).count);
  }

  async find(organizationId: string, id: string): Promise<Resource | undefined> {
    const query = this.#own(organizationId).select(this.#fields).where('id', '=', id).$castTo<Resource>();
    const [row] = await query.execute();
    return row && this.read(row);
  }

  /** @throws QuotaExceeded */
  create(organizationId: string, input: Input, id?: string): Promise<Created> {
    return this.context.engine
      .writeOnce((database) => this.createWithin(database, organizationId, input, id))
      .finally(() => this.forget());
  }

  /** Like `create`, in the caller's write. */
  async createWithin(
    database: Kysely<Tables>,
    organizationId: string,
    input: Input,
    id = newIdentifier(this.#resource.idPrefix),
  ): Promise<Created> {
    const created = this.#make(id, input, this.context.now());
    const { table, kind } = this.#resource;
    const columns = { ...this.#toStored(created, id), organization_id: organizationId };
    await insertRow(this.context.engine, database, table, kind, columns);
    return created;
  }

  /** Locks the row first, so that concurrent changes lose no fields. */
  update(
    organizationId: string,
    id: string,
    change: (current: Resource) => Resource,
  ): Promise<Resource | undefined> {
    const stamp = this.#fields.includes('updated_at') ? { updated_at: this.context.now() } : {};
    const updated = this.context.engine.write(async (transaction) => {
      const table = resourceTables(transaction)
        .updateTable(this.#resource.table)
        .where('id', '=', id)
        .where('organization_id', '=', organizationId);
      const locking = table.set({ name: sql.ref<string>('name'), ...stamp }).returning(this.#fields);
      const [row] = await locking.$castTo<Resource>().execute();
      if (row === undefined) return undefined;
      const current = this.read(row);
      const changed = change(current);
      const fields = Object.entries(changed).filter(([field, value]) => value !== current[field]);
      if (fields.length > 0) await table.set(this.#toStored(Object.fromEntries(fields), id)).execute();
      return changed;
    });
    return updated.finally(() => this.forget());
  }

  /** @returns whether it existed */
  delete(organizationId: string, id: string): Promise<boolean> {
    const deleted = this.context.engine.write(async (transaction) => {
      const { kind } = this.#resource;
      // Before the row: creations lock the quota first, too.
      await changeUsed(transaction, organizationId, kind, -1);
      const rows = resourceTables(transaction).deleteFrom(this.#resource.table).returning('id');
      const own = rows.where('id', '=', id).where('organization_id', '=', organizationId);
      const isDeleted = (await own.executeTakeFirst()) !== undefined;
      if (!isDeleted) await changeUsed(transaction, organizationId, kind, 1);
      return isDeleted;
    });
    return deleted.finally(() => this.forget());
  }

  /** Row numbers in creation order, the same on all servers. */
  async numbers(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#own(organizationId)
      .select(['id', 'sequence'])
      .where('id', 'in', ids)
      // PostgreSQL's 64-bit integers arrive as text.
      .$castTo<{ readonly id: string; readonly sequence: number | string }>()
      .execute();
    return new Map(rows.map(({ id, sequence }) => [id, Number(sequence)]));
  }

  async idAt(organizationId: string, number: number): Promise<string | undefined> {
    const query = this.#own(organizationId).select('id').where('sequence', '=', number);
    return (await query.$castTo<{ readonly id: string }>().executeTakeFirst())?.id;
  }

  /** Call it after each write. */
  forget(): void {
    this.#quotas.forget();
  }

  /** @param row columns of the response */
  protected read(row: Resource): Resource {
    const fields: Record<string, unknown> = {};
    for (const { name, fromStored } of this.#columns) {
      if (name in row) fields[name] = fromStored(row[name], this.context, row.id);
    }
    return { ...row, ...fields };
  }

  #toStored(fields: ResourceFields, id: string): ResourceFields {
    const given = this.#columns.filter(({ name }) => name in fields);
    const columns = given.map(({ name, toStored }) => [name, toStored(fields[name], this.context, id)]);
    return Object.fromEntries(columns);
  }

  #own(organizationId: string) {
    return resourceTables(this.context.engine.database)
      .selectFrom(this.#resource.table)
      .where('organization_id', '=', organizationId);
  }
}

/** Makes resources without code of their own. */
export function plainly({ answer }: DeclaredResource): Make<NamedFields, StoredResource> {
  const isStamped = 'updated_at' in answer().shape;
  return (id, input, now) => ({ id, ...input, created_at: now, ...(isStamped && { updated_at: now }) });
}

export function newIdentifier(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/** Does not use `like`, which would interpret wildcards in the search. */
function isFoundBy(search: string) {
  return sql<SqlBool>`(replace(lower(name), lower(${search}), '') <> lower(name) or id = ${search})`;
}
