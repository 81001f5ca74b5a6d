import { type Dialect, ownName } from '../../api/dialect/dialect.js';
import { apiKeys } from '../../api/resources/api-key.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { toRowField } from '../../api/resources/resource.js';
import type { RowNumbers } from '../../storage/reading/row-numbers.js';
import { type FieldNames, readFieldNames } from './field-names.js';

/** What a dialect says of one kind. */
export interface KindDialect {
  readonly resource: DeclaredResource;
  /** The path of the list, with the base path. */
  readonly path: string;
  /** The status of all its calls, where the service does not have it. */
  readonly missing: number | undefined;
  readonly list: Dialect['list'];
  readonly item: Dialect['item'];
  readonly fields: FieldNames;
  /** The field that holds the items of a list, and a single answer; `null` where none does. */
  readonly listHolder: string | null;
  readonly itemHolder: string | null;
  /** An API key's ID stays text: requests name it, and it begins with `key_` (reference, section 2). */
  readonly hasNumericIds: boolean;
  /** An API key is always answered whole: its secret is shown nowhere else. */
  readonly isBodyless: boolean;
  readonly rows: RowNumbers;
}

export function readKindDialect(dialect: Dialect, resource: DeclaredResource, rows: RowNumbers): KindDialect {
  const { missing, list = dialect.list, item = dialect.item } = dialect.kinds[resource.kind] ?? {};
  const isKey = resource.kind === apiKeys.kind;
  const isCamel = item.case === 'camel';
  const snake = resource.kind.replaceAll('-', '_');
  const several = isCamel ? resource.property : snake;
  const one = isCamel ? toRowField(resource) : snake.replace(/s$/, '');
  return {
    resource,
    path: `${dialect.basePath}/${resource.kind}`,
    missing,
    list,
    item,
    fields: readFieldNames(resource, item),
    listHolder: list.items === ownName ? several : list.items,
    itemHolder: item.in === ownName ? one : item.in,
    hasNumericIds: item.ids === 'number' && !isKey,
    isBodyless: item.created.body === 'none' && !isKey,
    rows,
  };
}

/** The kinds that the service does not have. */
export function missingKinds({ kinds }: Dialect): ReadonlySet<string> {
  return new Set(Object.keys(kinds).filter((kind) => kinds[kind]?.missing !== undefined));
}
