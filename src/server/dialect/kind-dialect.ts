import type { Dialect } from '../../api/dialect/dialect.js';
import { ownName } from '../../api/dialect/dialect-input.js';
import { type FieldNames, readFieldNames } from '../../api/dialect/field-names.js';
import { apiKeys } from '../../api/resources/api-key.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { toRowField } from '../../api/resources/resource.js';
import type { Resources } from '../../storage/resources.js';
import { identifierPattern } from '../routes/resources.js';

/** The form of one kind of resource. */
export interface KindDialect {
  readonly resource: DeclaredResource;
  readonly path: string;
  /** The status of all calls for this kind, if the service lacks the kind. */
  readonly missing: number | undefined;
  readonly list: Dialect['list'];
  readonly item: Dialect['item'];
  readonly fields: FieldNames;
  /** `null`: the body itself is the list or the resource. */
  readonly listHolder: string | null;
  readonly itemHolder: string | null;
  /** A numeric ID is the row's number. Never for API keys: their IDs begin with `key_`. */
  readonly hasNumericIds: boolean;
  readonly rows: Resources;
}

export function readKindDialect(dialect: Dialect, resource: DeclaredResource, rows: Resources): KindDialect {
  const { missing, list = dialect.list, item = dialect.item } = dialect.kinds[resource.kind] ?? {};
  const snake = resource.kind.replaceAll('-', '_');
  const [several, one] =
    item.case === 'camel' ? [resource.property, toRowField(resource)] : [snake, snake.replace(/s$/, '')];
  return {
    ...{ resource, missing, list, item, rows },
    path: `${dialect.basePath}/${resource.kind}`,
    fields: readFieldNames(resource, item),
    listHolder: list.items === ownName ? several : list.items,
    itemHolder: item.in === ownName ? one : item.in,
    hasNumericIds: item.ids === 'number' && resource.kind !== apiKeys.kind,
  };
}

/** `undefined` for an impossible ID, or a number that no row has. */
export async function findId(
  text: string,
  organizationId: string,
  { hasNumericIds, rows }: KindDialect,
): Promise<string | undefined> {
  if (!hasNumericIds) return identifierPattern.test(text) ? text : undefined;
  return /^[1-9]\d{0,14}$/.test(text) ? rows.idAt(organizationId, Number(text)) : undefined;
}

/** A resource in the dialect. A row that has been deleted meanwhile keeps its text ID. */
export function toTheirs(
  item: Readonly<Record<string, unknown>>,
  numbers: ReadonlyMap<string, number>,
  { fields, hasNumericIds }: KindDialect,
): Readonly<Record<string, unknown>> {
  const { id } = item;
  const isNumbered = hasNumericIds && typeof id === 'string';
  return fields.toTheirs(isNumbered ? { ...item, id: numbers.get(id) ?? id } : item);
}
