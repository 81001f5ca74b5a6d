import type { Dialect } from '../../api/dialect/dialect.js';
import { ownName } from '../../api/dialect/dialect-input.js';
import { type FieldNames, readFieldNames } from '../../api/dialect/field-names.js';
import { apiKeys } from '../../api/resources/api-key.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { toRowField } from '../../api/resources/resource.js';
import type { Resources } from '../../storage/resources.js';
import { identifierPattern } from '../routes/resources.js';

type Item = Readonly<Record<string, unknown>>;

/** The form of one kind of resource. */
export class KindDialect {
  readonly resource: DeclaredResource;
  readonly rows: Resources;
  readonly path: string;
  /** The status of all calls for this kind, if the service lacks the kind. */
  readonly missing: number | undefined;
  readonly list: Dialect['list'];
  readonly item: Dialect['item'];
  readonly fields: FieldNames;
  /** `null`: the body itself is the list or the resource. */
  readonly listHolder: string | null;
  readonly itemHolder: string | null;
  /** Whether pages continue after a row, rather than being numbered. */
  readonly isByRow: boolean;
  /** A numeric ID is the row's number. Never for API keys: their IDs begin with `key_`. */
  readonly hasNumericIds: boolean;

  constructor(dialect: Dialect, resource: DeclaredResource, rows: Resources) {
    const { missing, list = dialect.list, item = dialect.item } = dialect.kinds[resource.kind] ?? {};
    const snake = resource.kind.replaceAll('-', '_');
    const [several, one] =
      item.case === 'camel' ? [resource.property, toRowField(resource)] : [snake, snake.replace(/s$/, '')];
    [this.resource, this.rows, this.missing, this.list, this.item] = [resource, rows, missing, list, item];
    this.path = `${dialect.basePath}/${resource.kind}`;
    this.fields = readFieldNames(resource, item);
    this.listHolder = list.items === ownName ? several : list.items;
    this.itemHolder = item.in === ownName ? one : item.in;
    this.isByRow = list.paging === 'cursor' || list.paging === 'after';
    this.hasNumericIds = item.ids === 'number' && resource.kind !== apiKeys.kind;
  }

  /** `undefined` for an impossible ID, or a number that no row has. */
  async findId(text: string, organizationId: string): Promise<string | undefined> {
    if (!this.hasNumericIds) return identifierPattern.test(text) ? text : undefined;
    return /^[1-9]\d{0,14}$/.test(text) ? this.rows.idAt(organizationId, Number(text)) : undefined;
  }

  /** A resource in the dialect. A row that has been deleted meanwhile keeps its text ID. */
  toTheirs(item: Item, numbers: ReadonlyMap<string, number>): Item {
    const id = this.hasNumericIds ? numbers.get(String(item['id'])) : undefined;
    return this.fields.toTheirs(id === undefined ? item : { ...item, id });
  }
}
