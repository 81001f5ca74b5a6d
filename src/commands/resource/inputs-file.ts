import type { Context } from '../../context.js';
import { z } from '../../contract/schema.js';
import { UsageError } from '../../errors.js';
import { checkEntry, type EntryKind, type Problem } from './entry.js';
import { type EntryFile, readEntryFile } from './entry-file.js';

/**
 * Reads the entries of the file that `--file` names and checks all of them.
 *
 * @throws UsageError listing every problem with file and line; two entries of one name are a problem, since
 * `--skip-existing` goes by name
 */
export async function readInputs<Input>(
  path: string,
  kind: EntryKind<Input>,
  context: Pick<Context, 'system' | 'stdin'>,
): Promise<readonly Input[]> {
  const file = await readEntryFile(path, context);
  const checked = file.entries.map((entry) => checkEntry(entry, kind, context.system.env));
  const problems = await Promise.all(
    checked.flatMap((entry, index) =>
      'problems' in entry ? entry.problems.map((problem) => locate(problem, index, file)) : [],
    ),
  );
  const all = [...problems, ...(await sameNames(file))].toSorted((a, b) => a.line - b.line);
  if (all.length === 0) {
    return checked.flatMap((entry) => ('input' in entry ? [entry.input] : []));
  }
  const count = all.length === 1 ? 'a problem' : `${all.length} problems`;
  throw new UsageError(`${file.name} has ${count}; nothing was sent`, {
    problems: all.map(({ line, what }) => `${file.name}:${line}: ${what}`),
  });
}

interface Located {
  readonly line: number;
  readonly what: string;
}

async function locate({ path, what }: Problem, entry: number, file: EntryFile): Promise<Located> {
  const line = await file.lineOf({ entry, path });
  return { line, what: path.length === 0 ? what : `${z.core.toDotPath([...path])}: ${what}` };
}

async function sameNames(file: EntryFile): Promise<Located[]> {
  const firsts = new Map<string, number>();
  const problems: Located[] = [];
  for (const [entry, value] of file.entries.entries()) {
    const name = nameOf(value);
    if (name === undefined) continue;
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, entry);
    else {
      const line = await file.lineOf({ entry: first, path: ['name'] });
      problems.push(await locate({ path: ['name'], what: `the same as on line ${line}` }, entry, file));
    }
  }
  return problems;
}

function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('name' in value)) return undefined;
  return typeof value.name === 'string' ? value.name : undefined;
}
