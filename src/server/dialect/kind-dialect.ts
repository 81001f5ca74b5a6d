import type { Dialect } from '../../api/dialect/dialect.js';
import { ownName } from '../../api/dialect/dialect-input.js';
import { readFieldNames } from '../../api/dialect/field-names.js';
import { apiKeys } from '../../api/resources/api-key.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { toRowField } from '../../api/resources/resource.js';
import type { Resources } from '../../storage/resources.js';
import { identifierPattern } from '../routes/resources.js';

type Item = Readonly<Record<string, unknown>>;

export type KindDialect = ReturnType<typeof kindDialect>;

/** The form of one kind of resource. */
export function kindDialect(dialect: Dialect, resource: DeclaredResource, rows: Resources) {
  const { missing, list = dialect.list, item = dialect.item } = dialect.kinds[resource.kind] ?? {};
  const snake = resource.kind.replaceAll('-', '_');
  const [several, one] =
    item.case === 'camel' ? [resource.property, toRowField(resource)] : [snake, snake.replace(/s$/, '')];
  const fields = readFieldNames(resource, item);
  // A numeric ID is the row's number. Not of API keys, whose IDs begin with `key_`.
  const hasNumericIds = item.ids === 'number' && resource.kind !== apiKeys.kind;
  return {
    resource,
    rows,
    list,
    item,
    fields,
    hasNumericIds,
    /** The status of all calls, if the service lacks the kind. */
    missing,
    path: `${dialect.basePath}/${resource.kind}`,
    /** `null`: the body itself is the list or the resource. */
    listHolder: list.items === ownName ? several : list.items,
    itemHolder: item.in === ownName ? one : item.in,
    /** Whether pages continue after a row, rather than being numbered. */
    isByRow: list.paging === 'cursor' || list.paging === 'after',
    /** `undefined` for an impossible ID, or a number that no row has. */
    async findId(text: string, organizationId: string): Promise<string | undefined> {
      if (!hasNumericIds) return identifierPattern.test(text) ? text : undefined;
      return /^[1-9]\d{0,14}$/.test(text) ? rows.idAt(organizationId, Number(text)) : undefined;
    },
    /** A resource in the dialect. A row that has been deleted meanwhile keeps its text ID. */
    toTheirs(own: Item, numbers: ReadonlyMap<string, number>): Item {
      const id = hasNumericIds ? numbers.get(String(own['id'])) : undefined;
      return fields.toTheirs(id === undefined ? own : { ...own, id });
    },
  };
}
