import { closeNameFinder } from '../../api/resources/folded-name.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import type { IdentifiedResource } from '../../api/resources/resource.js';
import { describeNames } from '../../verbs/resource/close-names.js';
import { groupedByName } from '../read/existing-resources.js';
import { type FileEntry, type FileProblem, nameEntry } from '../read/file-entry.js';

export interface Match extends FileEntry {
  readonly existing?: IdentifiedResource | undefined;
}

export interface Matches {
  readonly matches: readonly Match[];
  readonly problems: readonly FileProblem[];
  readonly rest: readonly IdentifiedResource[];
}

/**
 * Finds each entry's resource by `id` if it is given, else by `name`, else by `renamed_from`.
 * @param isPruned whether a resource is deleted unless it has an entry
 */
export function match(
  resource: DeclaredResource,
  entries: readonly FileEntry[],
  existing: readonly IdentifiedResource[],
  isPruned: (one: IdentifiedResource) => boolean,
): Matches {
  const problems: FileProblem[] = [...circularNames(entries)];
  const finder = new Finder(resource, entries, existing, problems);
  const found = new Map(orderByClaims(entries).map((entry) => [entry, finder.find(entry)]));
  const matches = entries.map((entry) => ({ ...entry, existing: found.get(entry) }));
  const claimed = new Map<unknown, Match>();
  for (const one of matches) {
    const id = one.existing?.id;
    const first = claimed.get(id);
    if (one.existing !== undefined && first !== undefined) {
      problems.push({ path: one.path, what: `refers to ${id}, as ${nameEntry(first.path)} does` });
    }
    if (one.existing !== undefined) claimed.set(id, first ?? one);
  }
  const rest = existing.filter(({ id }) => !claimed.has(id));
  const staying = rest.filter((one) => !isPruned(one));
  problems.push(...takenNames(matches, staying), ...closeNames(resource, matches, rest));
  return { matches, problems, rest };
}

/** Puts an entry after the entry that has its name as `renamed_from`. */
function orderByClaims(entries: readonly FileEntry[]): readonly FileEntry[] {
  const claimants = new Map(entries.map((one) => [one.entry.renamed_from, one]));
  const ordered = new Set<FileEntry>();
  for (const entry of entries) {
    const way = new Set<FileEntry>();
    let next: FileEntry | undefined = entry;
    while (next !== undefined && !ordered.has(next) && !way.has(next)) {
      way.add(next);
      next = claimants.get(next.entry.name);
    }
    for (const one of [...way].toReversed()) ordered.add(one);
  }
  return [...ordered];
}

class Finder {
  readonly #resource: DeclaredResource;
  readonly #problems: FileProblem[];
  readonly #byId: ReadonlyMap<unknown, IdentifiedResource>;
  readonly #byName: ReadonlyMap<unknown, readonly IdentifiedResource[]>;
  readonly #names: ReadonlySet<string>;
  /** IDs of resources that are pinned or about to be renamed; they are not found by name. */
  readonly #taken: Set<unknown>;

  constructor(
    resource: DeclaredResource,
    entries: readonly FileEntry[],
    existing: readonly IdentifiedResource[],
    problems: FileProblem[],
  ) {
    this.#resource = resource;
    this.#problems = problems;
    this.#byId = new Map(existing.map((one) => [one.id, one]));
    this.#byName = groupedByName(existing);
    this.#names = new Set(
      entries.filter(({ entry }) => entry.id === undefined).map(({ entry }) => entry.name),
    );
    this.#taken = new Set(entries.flatMap(({ entry }) => entry.id ?? []));
  }

  find({ entry, path }: FileEntry): IdentifiedResource | undefined {
    const { id, name, renamed_from: former } = entry;
    if (id !== undefined) return this.#byIdOf(id, path);
    const named = this.#only(name, [...path, 'name']);
    if (former === undefined || former === name) return named;
    // A resource with the former name may belong to another entry.
    const left =
      this.#names.has(former) && named !== undefined
        ? undefined
        : this.#only(former, [...path, 'renamed_from']);
    if (named !== undefined && left !== undefined) {
      this.#problems.push({
        path: [...path, 'renamed_from'],
        what: `both exist: ${named.id} with the new name, and ${left.id} with the former one; pin the right one by its id`,
      });
    }
    if (named === undefined) this.#taken.add(left?.id);
    return named ?? left;
  }

  #byIdOf(id: string, path: readonly PropertyKey[]): IdentifiedResource | undefined {
    const found = this.#byId.get(id);
    if (found === undefined) {
      this.#problems.push({ path: [...path, 'id'], what: `${this.#resource.singular} ${id} not found` });
    }
    return found;
  }

  /** The resource with that name, unless taken. Reports a problem if there are several. */
  #only(name: string, path: readonly PropertyKey[]): IdentifiedResource | undefined {
    const all = (this.#byName.get(name) ?? []).filter(({ id }) => !this.#taken.has(id));
    if (all.length > 1) {
      const ids = all.map(({ id }) => id).join(', ');
      this.#problems.push({
        path,
        what: `${all.length} ${this.#resource.plural} have this name: ${ids}; pin the right one by its id, or delete the rest`,
      });
    }
    return all[0];
  }
}

/** Finds entries that swap names: no plan could tell whether the swap was already done. */
function circularNames(entries: readonly FileEntry[]): readonly FileProblem[] {
  const formerNames = new Map(
    entries.flatMap(({ entry: { id, name, renamed_from: former } }) =>
      id === undefined && former !== undefined && former !== name ? [[name, former] as const] : [],
    ),
  );
  const circles = findCircles(formerNames);
  return entries.flatMap(({ entry: { id, name }, path }): FileProblem[] => {
    const circle = id === undefined ? circles.get(name) : undefined;
    if (circle === undefined) return [];
    const names = [...circle.slice(0, maxNamesShown), ...(circle.length > maxNamesShown ? ['…'] : [])];
    return [
      { path: [...path, 'renamed_from'], what: `${names.join(', ')} swap names; pin each by its id instead` },
    ];
  });
}

const maxNamesShown = 10;

/** By name, all names of the cycle of renames that has it. */
function findCircles(formerNames: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const circles = new Map<string, readonly string[]>();
  const seen = new Set<string>();
  for (const start of formerNames.keys()) {
    const way: string[] = [];
    let name: string | undefined = start;
    while (name !== undefined && !seen.has(name)) {
      seen.add(name);
      way.push(name);
      name = formerNames.get(name);
    }
    const first = name === undefined ? -1 : way.indexOf(name);
    const circle = first === -1 ? [] : way.slice(first);
    for (const one of circle) circles.set(one, circle);
  }
  return circles;
}

/** Finds new names that another resource keeps: the next plan could not tell the two resources apart. */
function takenNames(matches: readonly Match[], rest: readonly IdentifiedResource[]): readonly FileProblem[] {
  const others = new Map(rest.map((one) => [one['name'], one]));
  return matches.flatMap(({ entry, existing, path }): FileProblem[] => {
    const other = others.get(entry.name);
    if (existing === undefined || other === undefined || existing['name'] === entry.name) return [];
    return [{ path: [...path, 'name'], what: `${other.id} already has this name` }];
  });
}

/** Finds entries to create whose resource may exist under a close name: creating it could add a duplicate. */
function closeNames(
  { singular }: DeclaredResource,
  matches: readonly Match[],
  rest: readonly IdentifiedResource[],
): readonly FileProblem[] {
  const created = matches.filter(({ existing }) => existing === undefined);
  if (created.length === 0) return [];
  const findClose = closeNameFinder(rest);
  return created.flatMap(({ entry, path }): FileProblem[] => {
    const close = findClose(entry.name);
    if (entry.id !== undefined || close.length === 0) return [];
    const what = `may be ${describeNames(close)}: write that name here or in renamed_from; if that is a different ${singular}, give it its own entry`;
    return [{ path: [...path, 'name'], what }];
  });
}
