import { isResource } from '../../api/resources/resource.js';
import { kindsOfFile } from '../declaration/organization-file.js';
import { checkFile } from '../read/check-file.js';
import type { FileProblem } from '../read/file-entry.js';
import { type ExportedEntry, toFile } from './exported-entry.js';

interface Fitting {
  readonly entries: readonly ExportedEntry[];
  readonly refused: readonly ExportedEntry[];
}

/** Drops settings, or else entries, that apply would reject. */
export function fittingEntries(all: readonly ExportedEntry[]): Fitting {
  const found = checkFile(toFile(all));
  if (found.length === 0) return { entries: all, refused: [] };
  const problems = problemsByEntry(found, all);
  const mended = new Map(all.map((one) => [one, dropSettings(one, problems.get(one) ?? [])]));
  // Dropping a setting can make apply reject another as a misspelling of it.
  const rest = fittingEntries([...mended.values()].filter((one) => one !== undefined));
  const refused = all.filter((one) => mended.get(one) === undefined);
  return { entries: rest.entries, refused: [...refused, ...rest.refused] };
}

function problemsByEntry(
  problems: readonly FileProblem[],
  all: readonly ExportedEntry[],
): ReadonlyMap<ExportedEntry, readonly FileProblem[]> {
  const lists = new Map<unknown, readonly ExportedEntry[]>(
    kindsOfFile.map(({ kind }) => [kind, all.filter((one) => one.kind === kind)]),
  );
  const found = new Map<ExportedEntry, FileProblem[]>();
  for (const problem of problems) {
    const [kind, index] = problem.path;
    const one = lists.get(kind)?.[Number(index)];
    if (one === undefined) throw new Error(`the export is not a valid file: ${problem.what}`);
    const known = found.get(one);
    if (known === undefined) found.set(one, [problem]);
    else known.push(problem);
  }
  return found;
}

/** Drops bad settings; `undefined` if anything else is bad. */
function dropSettings(one: ExportedEntry, problems: readonly FileProblem[]): ExportedEntry | undefined {
  if (problems.length === 0) return one;
  const { config } = one.entry;
  if (!isResource(config)) return undefined;
  const badSettings = new Set(
    problems.map(({ path: [, , field, name] }) => (field === 'config' ? name : undefined)),
  );
  const names = Object.keys(config).filter((name) => badSettings.has(name));
  if (names.length < badSettings.size) return undefined;
  const kept = Object.entries(config).filter(([name]) => !badSettings.has(name));
  return {
    ...one,
    entry: { ...one.entry, config: Object.fromEntries(kept) },
    replaced: one.replaced.filter((name) => !badSettings.has(name)),
    leftOut: [...one.leftOut, ...names],
  };
}
