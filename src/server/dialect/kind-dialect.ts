import { type Dialect, ownName } from '../../api/dialect/dialect.js';
import { type FieldNames, readFieldNames } from '../../api/dialect/field-names.js';
import { apiKeys } from '../../api/resources/api-key.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { toRowField } from '../../api/resources/resource.js';
import type { Resources } from '../../storage/resources.js';
import { identifierPattern } from '../routes/resources.js';

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
  /** Never for API keys: their IDs begin with `key_`. */
  readonly hasNumericIds: boolean;
  /** Whether creations have no body. Never for API keys: only the response to their creation shows the secret. */
  readonly isBodyless: boolean;
  readonly rows: Resources;
}

export function readKindDialect(dialect: Dialect, resource: DeclaredResource, rows: Resources): KindDialect {
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

export function missingKinds({ kinds }: Dialect): ReadonlySet<string> {
  return new Set(Object.keys(kinds).filter((kind) => kinds[kind]?.missing !== undefined));
}

/** `undefined` for an impossible ID, or a number that no row has. A numeric ID is the row's number (`Resources.numbers`). */
export async function findId(
  text: string,
  organizationId: string,
  { hasNumericIds, rows }: KindDialect,
): Promise<string | undefined> {
  if (!hasNumericIds) return identifierPattern.test(text) ? text : undefined;
  return /^[1-9]\d{0,14}$/.test(text) ? rows.idAt(organizationId, Number(text)) : undefined;
}

/** The ID in a response. A row that has been deleted meanwhile keeps its text ID. */
export function shownId(
  id: unknown,
  numbers: ReadonlyMap<string, number>,
  { hasNumericIds }: KindDialect,
): unknown {
  return hasNumericIds && typeof id === 'string' ? (numbers.get(id) ?? id) : id;
}
