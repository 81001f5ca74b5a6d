import { dialectVersion } from '../../api/dialect/dialect.js';
import type { DialectInput, DialectItem, DialectList } from '../../api/dialect/dialect-input.js';
import type { ServiceForms } from './find-service.js';
import { joinParts, referenceDialect, withoutSame } from './leaves.js';
import type { ProbedKind } from './probed-kind.js';

/** The dialect file for the found settings, without those equal to `reference`. */
export function describeDialect(kinds: readonly ProbedKind[], forms: ServiceForms): DialectInput {
  const read = kinds.filter(({ state }) => state === 'read');
  const lists = groupParts(read.map(({ kind, list }) => ({ kind, part: list })));
  const items = groupParts(read.map(({ kind, item }) => ({ kind, part: item })));
  const [list, ...otherLists] = lists;
  const [item, ...otherItems] = items;
  const own = kinds.flatMap(({ kind, missing }) => {
    const [ownList, ownItem] = [partOf(kind, otherLists), partOf(kind, otherItems)];
    const differing = {
      ...(missing !== undefined && { missing }),
      ...(ownList && { list: shortenList(ownList) }),
      ...(ownItem && { item: shortenItem(ownItem) }),
    };
    return Object.keys(differing).length === 0 ? [] : [[kind, differing] as const];
  });
  const { basePath, ...others } = withoutSame(forms, referenceDialect);
  return {
    dialect: dialectVersion,
    ...(basePath !== undefined && { basePath }),
    ...unlessEmpty('list', list && shortenList(list.part)),
    ...unlessEmpty('item', item && shortenItem(item.part)),
    ...(own.length > 0 && { kinds: Object.fromEntries(own) }),
    ...others,
  };
}

interface Group<Part> {
  readonly kinds: readonly string[];
  readonly part: Part;
}

/** Groups kinds with settings that do not contradict each other; the largest group comes first. */
function groupParts<Part extends object>(
  told: readonly { readonly kind: string; readonly part: Part }[],
): readonly Group<Part>[] {
  const groups: Group<Part>[] = [];
  for (const { kind, part } of told) {
    const at = groups.findIndex((group) => joinParts(group.part, part) !== undefined);
    const group = groups[at];
    const joined = group && joinParts(group.part, part);
    if (group === undefined || joined === undefined) groups.push({ kinds: [kind], part });
    else groups[at] = { kinds: [...group.kinds, kind], part: joined };
  }
  return groups.toSorted((one, other) => other.kinds.length - one.kinds.length);
}

function partOf<Part>(kind: string, groups: readonly Group<Part>[]): Part | undefined {
  return groups.find(({ kinds }) => kinds.includes(kind))?.part;
}

function shortenList({ limit, ...list }: DialectList): DialectList {
  return withoutSame({ ...list, limit: alignLimits(limit) }, referenceDialect.list);
}

/** Prevents a default page size above the maximum. */
function alignLimits(limit: DialectList['limit']): DialectList['limit'] {
  const { default: whenAbsent, max } = { ...referenceDialect.list.limit, ...limit };
  if (whenAbsent <= max) return limit;
  return limit?.max === undefined ? { ...limit, max: whenAbsent } : { ...limit, default: max };
}

function shortenItem({ names = {}, ...item }: DialectItem): DialectItem {
  const other = Object.entries(names).filter(([own, theirs]) => theirs !== spellOwn(own, item.case));
  return withoutSame(
    { ...item, ...(other.length > 0 && { names: Object.fromEntries(other) }) },
    referenceDialect.item,
  );
}

/** The API reference's name of a field, in the dialect's case. */
export function spellOwn(name: string, letters: DialectItem['case']): string {
  return letters === 'camel'
    ? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    : name;
}

function unlessEmpty<Name extends string, Part extends object>(name: Name, part: Part | undefined) {
  return part === undefined || Object.keys(part).length === 0 ? {} : { [name]: part };
}
