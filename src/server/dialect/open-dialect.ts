import { isDeepStrictEqual } from 'node:util';
import { type Dialect, type DialectInput, dialectSchema } from '../../api/dialect/dialect.js';
import { type PresetName, presets } from '../../api/dialect/presets.js';
import { type DeclaredResource, resources } from '../../api/resources/index.js';
import { z } from '../../api/schema/schema.js';
import { UsageError } from '../../errors/errors.js';
import { option } from '../../errors/server-option.js';
import { isServiceTarget, type Targets } from '../http/url-space.js';
import { readFieldNames } from './field-names.js';
import { targetsBelow } from './targets.js';

/** A dialect that is not the server's own. */
export interface OpenedDialect {
  /** The preset's name, or `custom`. */
  readonly name: string;
  readonly dialect: Dialect;
  readonly targets: Targets;
}

const presetOf: ReadonlyMap<string, DialectInput> = new Map(Object.entries(presets));

/**
 * The dialect that a server is to speak; `undefined` for its own, which needs no translation.
 * @throws UsageError naming the field that is wrong
 */
export function openDialect(wanted: PresetName | DialectInput | undefined): OpenedDialect | undefined {
  if (wanted === undefined) return undefined;
  const name = typeof wanted === 'string' ? wanted : 'custom';
  const input: unknown = typeof wanted === 'string' ? presetOf.get(wanted) : wanted;
  if (input === undefined) {
    throw new UsageError(`${option('dialect', name)}: there is no such dialect`, {
      hint: `one of ${[...presetOf.keys()].join(', ')}`,
    });
  }
  const { data, error } = z.safeParse(dialectSchema, input);
  const problems = error === undefined ? conflictsIn(data) : error.issues.map(describe);
  if (problems.length > 0) throw new UsageError(`${option('dialect')}: ${problems.join('; ')}`);
  if (data === undefined) return undefined;
  const own = z.parse(dialectSchema, presets.reference);
  return isDeepStrictEqual(data, own) ? undefined : { name, dialect: data, targets: targetsBelow(data) };
}

function describe(issue: z.core.$ZodIssue): string {
  const path = z.core.toDotPath(issue.path);
  const message = issue.message.replace(/^Invalid input: /, '');
  return path === '' ? message : `${path}: ${message}`;
}

/** What each field allows, and a service cannot be. */
function conflictsIn(dialect: Dialect): string[] {
  const kinds = new Set<string>(resources.map(({ kind }) => kind));
  const unknown = Object.keys(dialect.kinds).filter((kind) => !kinds.has(kind));
  const { basePath } = dialect;
  const isPath = isServiceTarget(basePath) && !/\/\.{1,2}(?:\/|$)/.test(basePath);
  return [
    ...(isPath ? [] : ['basePath: is not a path of the service']),
    ...unknown.map((kind) => `kinds.${kind}: the service has no such kind, only ${[...kinds].join(', ')}`),
    ...conflictsInList(dialect.list, 'list'),
    ...conflictsInItem(dialect.item, 'item', resources),
    ...resources.flatMap((resource) => {
      const { list, item } = dialect.kinds[resource.kind] ?? {};
      return [
        ...(list ? conflictsInList(list, `kinds.${resource.kind}.list`) : []),
        ...(item ? conflictsInItem(item, `kinds.${resource.kind}.item`, [resource]) : []),
      ];
    }),
  ];
}

function conflictsInList(list: Dialect['list'], place: string): string[] {
  const { items, meta, paging, parameters, fields, limit } = list;
  const problems: string[] = [];
  if (limit.default > limit.max) problems.push(`${place}.limit.default: is more than max`);
  if (paging !== 'none' && parameters.page === null) {
    problems.push(`${place}.parameters.page: is needed to ask for a page`);
  }
  if (parameters.page !== null && parameters.page === parameters.limit) {
    problems.push(`${place}.parameters: two have the name ${parameters.page}`);
  }
  if ((paging === 'cursor' || paging === 'next') && (items === null || fields.next === null)) {
    problems.push(`${place}.fields.next: is needed, beside the items, for the way to the next page`);
  }
  const inBody = items === null ? [] : [...Object.values(fields), ...(meta === null ? [items] : [])];
  if (meta !== null && meta === items) inBody.push(meta, items);
  problems.push(...findTwice(inBody).map((name) => `${place}.fields: two have the name ${name}`));
  return problems;
}

function conflictsInItem(item: Dialect['item'], place: string, of: readonly DeclaredResource[]): string[] {
  const known = resources.flatMap((resource) => [...readFieldNames(resource, item).theirs.keys()]);
  const unknown = Object.keys(item.names).filter((name) => !known.includes(name));
  const twice = of.flatMap((resource) => findTwice([...readFieldNames(resource, item).theirs.values()]));
  return [
    ...unknown.map((name) => `${place}.names.${name}: no resource has such a field`),
    ...[...new Set(twice)].map((name) => `${place}.names: two fields have the name ${name}`),
  ];
}

function findTwice(names: readonly (string | null)[]): string[] {
  const given = names.filter((name) => name !== null);
  return [...new Set(given.filter((name, at) => given.indexOf(name) !== at))];
}
