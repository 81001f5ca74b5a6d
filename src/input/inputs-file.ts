import { z } from '../api/schema/schema.js';
import type { Context } from '../cli/context.js';
import { toOperands } from '../errors/advice.js';
import { UsageError } from '../errors/errors.js';
import { checkEntry, type EntryKind, type Problem } from './entry.js';
import { type EntryFile, readEntryFile } from './entry-file.js';
import { countProblems, maxProblems } from './file-problems.js';
import { type FoundEntries, findEntries } from './forms/file-forms.js';

/** Reads and checks the entries of `--file`. @throws UsageError listing the problems, including duplicate names */
export async function readInputs<Input>(
  path: string,
  kind: EntryKind<Input>,
  context: Pick<Context, 'system' | 'stdin' | 'whileBusy' | 'note'>,
): Promise<readonly Input[]> {
  const { others, ...file } = onlyKind(await readEntryFile(path, context), kind);
  const inputs: Input[] = [];
  const problems: Located[] = [];
  for (const [index, entry] of file.entries.entries()) {
    if (problems.length > maxProblems) break;
    const checked = checkEntry(entry, kind, context.system.env);
    if ('input' in checked) inputs.push(checked.input);
    else for (const problem of checked.problems) problems.push(await locate(problem, index, file));
  }
  const all = [...problems, ...(await sameNames(file))];
  if (all.length === 0) {
    if (others.length > 0) await noteOthers(path, kind.kind, others, context);
    return inputs;
  }
  const listed = all.slice(0, maxProblems).toSorted((a, b) => a.line - b.line);
  throw new UsageError(`${file.name} has ${countProblems(all)}; nothing was sent`, {
    problems: listed.map(({ line, what }) => `${file.name}:${line}: ${what}`),
  });
}

/** Keeps one kind's entries of an organization file or a seed. @throws UsageError if there is no list of that kind */
function onlyKind(
  file: EntryFile,
  { kind }: Pick<EntryKind<unknown>, 'kind'>,
): EntryFile & Pick<FoundEntries, 'others'> {
  const [only, ...others] = file.entries;
  const found = others.length === 0 ? findEntries(only, kind) : undefined;
  if (found === undefined) return { ...file, others: [] };
  const { entries, path: above, others: left } = found;
  if (!Array.isArray(entries)) throw new UsageError(`${file.name} has no list of ${kind}; nothing was sent`);
  return {
    name: file.name,
    entries,
    others: left,
    lineOf: ({ entry, path }) => file.lineOf({ entry: 0, path: [...above, entry, ...path] }),
  };
}

function noteOthers(
  path: string,
  kind: string,
  others: readonly string[],
  { note }: Pick<Context, 'note'>,
): Promise<void> {
  const operands = path === '-' ? ['FILE'] : toOperands(path);
  return note(
    `only ${kind} are created; the file also has ${others.join(' and ')}. To apply the whole file`,
    ['orgctl', 'apply', ...operands],
  );
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
    const name = readName(value);
    if (name === undefined) continue;
    if (problems.length > maxProblems) break;
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, entry);
    else {
      const line = await file.lineOf({ entry: first, path: ['name'] });
      problems.push(await locate({ path: ['name'], what: `the same as on line ${line}` }, entry, file));
    }
  }
  return problems;
}

function readName(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('name' in value)) return undefined;
  return typeof value.name === 'string' ? value.name : undefined;
}
