import type { DeclaredResource } from '../../api/resources/index.js';
import type { IdentifiedResource } from '../../api/resources/resource.js';
import { groupedByName } from '../read/existing-resources.js';
import { type FileEntry, type FileProblem, nameEntry } from '../read/file-entry.js';

export interface Match extends FileEntry {
  readonly existing?: IdentifiedResource | undefined;
}

export interface Matches {
  readonly matches: readonly Match[];
  readonly problems: readonly FileProblem[];
  /** Resources without an entry. */
  readonly rest: readonly IdentifiedResource[];
}

/** Finds each entry's resource by `id` if it is given, else by `name`, else by `renamed_from`. */
export function match(
  resource: DeclaredResource,
  entries: readonly FileEntry[],
  existing: readonly IdentifiedResource[],
): Matches {
  const finder = new Finder(resource, entries, existing);
  const matches = entries.map((entry) => ({ ...entry, existing: finder.find(entry) }));
  const found = new Set(matches.map((one) => one.existing));
  const rest = existing.filter((one) => !found.has(one));
  return { matches, problems: [...finder.problems, ...takenNames(matches, rest)], rest };
}

class Finder {
  readonly problems: FileProblem[] = [];
  readonly #resource: DeclaredResource;
  readonly #byId: ReadonlyMap<unknown, IdentifiedResource>;
  readonly #byName: ReadonlyMap<unknown, readonly IdentifiedResource[]>;
  readonly #entries: ReadonlyMap<string, FileEntry>;
  /** Not found by name. */
  readonly #pinned: ReadonlySet<unknown>;

  constructor(
    resource: DeclaredResource,
    entries: readonly FileEntry[],
    existing: readonly IdentifiedResource[],
  ) {
    this.#resource = resource;
    this.#byId = new Map(existing.map((one) => [one.id, one]));
    this.#byName = groupedByName(existing);
    this.#entries = new Map(entries.map((one) => [one.entry.name, one]));
    this.#pinned = new Set(entries.flatMap(({ entry }) => entry.id ?? []));
  }

  find({ entry: { id, name, renamed_from: former }, path }: FileEntry): IdentifiedResource | undefined {
    if (id !== undefined) return this.#find(id, [...path, 'id']);
    const named = this.#only(name, [...path, 'name']);
    if (former === undefined) return named;
    const at = [...path, 'renamed_from'];
    const other = this.#entries.get(former);
    if (other !== undefined) {
      this.#report(at, `the name of ${nameEntry(other.path)}; pin both by their ids instead`);
      return named;
    }
    const left = this.#only(former, at);
    if (named !== undefined && left !== undefined) {
      const what = `both exist: ${named.id} with the new name, and ${left.id} with the former one; pin the right one by its id`;
      this.#report(at, what);
    }
    return named ?? left;
  }

  #find(id: string, path: FileProblem['path']): IdentifiedResource | undefined {
    const found = this.#byId.get(id);
    if (found === undefined) this.#report(path, `${this.#resource.singular} ${id} not found`);
    return found;
  }

  /** The resource with that name, unless an entry pins it. Several are a problem. */
  #only(name: string, path: FileProblem['path']): IdentifiedResource | undefined {
    const all = (this.#byName.get(name) ?? []).filter(({ id }) => !this.#pinned.has(id));
    if (all.length > 1) {
      const ids = all.map(({ id }) => id).join(', ');
      const what = `${all.length} ${this.#resource.plural} have this name: ${ids}; pin the right one by its id, or delete the rest`;
      this.#report(path, what);
    }
    return all[0];
  }

  #report(path: FileProblem['path'], what: string): void {
    this.problems.push({ path, what });
  }
}

/** Finds new names that a resource without an entry has: the next plan could not tell the two apart. */
function takenNames(matches: readonly Match[], rest: readonly IdentifiedResource[]): readonly FileProblem[] {
  const others = new Map(rest.map((one) => [one['name'], one]));
  return matches.flatMap(({ entry, existing, path }): FileProblem[] => {
    const other = others.get(entry.name);
    if (existing === undefined || other === undefined || existing['name'] === entry.name) return [];
    return [{ path: [...path, 'name'], what: `${other.id} already has this name` }];
  });
}
