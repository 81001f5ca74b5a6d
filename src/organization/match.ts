import type { DeclaredResource } from '../api/resources/index.js';
import type { IdentifiedResource } from '../api/resources/resource.js';
import { type FileEntry, type FileProblem, nameEntry } from './read-file.js';
import { groupByName } from './read-service.js';

export interface Match {
  readonly entry: FileEntry;
  readonly existing: IdentifiedResource | undefined;
}

/** Finds each entry's resource by `id` if it is given, else by `name`, else by `renamed_from`. `rest` has no entry. */
export function match(
  { singular, plural }: DeclaredResource,
  entries: readonly FileEntry[],
  existing: readonly IdentifiedResource[],
) {
  const byId = new Map(existing.map((one) => [one.id, one]));
  const byName = groupByName(existing);
  const pinned = new Set(entries.map(({ entry }) => entry.id));
  const owners = new Map(entries.map((one) => [one.entry.name, one]));
  const problems: FileProblem[] = [];

  const findOnly = (name: string, path: FileProblem['path']) => {
    const all = (byName.get(name) ?? []).filter(({ id }) => !pinned.has(id));
    const ids = all.map(({ id }) => id).join(', ');
    const what = `${all.length} ${plural} have this name: ${ids}; pin the right one by its id, or delete the rest`;
    if (all.length > 1) problems.push({ path, what });
    return all[0];
  };
  const find = ({ entry: { id, name, renamed_from: former }, path }: FileEntry) => {
    if (id !== undefined) {
      const found = byId.get(id);
      if (found === undefined) problems.push({ path: [...path, 'id'], what: `${singular} ${id} not found` });
      return found;
    }
    const named = findOnly(name, [...path, 'name']);
    if (former === undefined) return named;
    const at = [...path, 'renamed_from'];
    const owner = owners.get(former);
    if (owner !== undefined) {
      problems.push({
        path: at,
        what: `is also the name of ${nameEntry(owner.path)}; pin both by their ids`,
      });
      return named;
    }
    const left = findOnly(former, at);
    if (named !== undefined && left !== undefined) {
      const what = `both exist: ${named.id} with the new name, and ${left.id} with the former one; pin the right one by its id`;
      problems.push({ path: at, what });
    }
    return named ?? left;
  };
  const matches = entries.map((entry) => ({ entry, existing: find(entry) }));
  const found = new Set(matches.map((one) => one.existing));
  const rest = existing.filter((one) => !found.has(one));
  const others = new Map(rest.map((one) => [one['name'], one.id]));
  for (const { entry, existing: one } of matches) {
    const other = others.get(entry.entry.name);
    if (one === undefined || other === undefined || one['name'] === entry.entry.name) continue;
    problems.push({ path: [...entry.path, 'name'], what: `${other} already has this name` });
  }
  return { matches, problems, rest };
}
