import { isResource, type Resource } from '../api/resources/resource.js';
import { z } from '../api/schema/schema.js';
import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';
import { toSnakeCase } from '../text/field-case.js';
import { countProblems, maxProblems } from './document-file.js';
import { readEntryFile } from './entry-file.js';
import type { TextDocument } from './json-text.js';

/** A problem of an entry. Its text never repeats a value, which may be a password. */
interface Problem {
  readonly path: readonly PropertyKey[];
  readonly what: string;
}

export interface EntryKind<Input> {
  readonly kind: string;
  readonly singular: string;
  readonly fields: readonly string[];
  schemaFor(body: unknown): z.ZodMiniType<Input>;
  /** Resolves references, such as a password in a variable. */
  prepare?(body: Readonly<Resource>, env: Context['system']['env']): Prepared;
}

export interface Prepared {
  readonly body: Readonly<Resource>;
  readonly problem?: Problem | undefined;
}

/** Reads and checks the entries of `--file`. @throws UsageError listing all problems, including duplicate names */
export async function readInputs<Input>(
  path: string,
  kind: EntryKind<Input>,
  context: Context,
): Promise<readonly Input[]> {
  const inputs: Input[] = [];
  const problems: (Problem & { readonly entry: TextDocument })[] = [];
  const firsts = new Map<string, TextDocument>();
  for (const entry of await readEntryFile(path, kind.kind, context)) {
    if (problems.length > maxProblems) break;
    const checked = checkEntry(entry.value, kind, context);
    if ('input' in checked) inputs.push(checked.input);
    else problems.push(...checked.problems.map((problem) => ({ ...problem, entry })));
    const name = isResource(entry.value) ? entry.value['name'] : undefined;
    if (typeof name !== 'string') continue;
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, entry);
    else
      problems.push({ entry, path: ['name'], what: `the same as on line ${first.placeAt(['name']).line}` });
  }
  if (problems.length === 0) return inputs;
  const file = path === '-' ? 'stdin' : path;
  const placed = problems.slice(0, maxProblems).map(({ entry, path: at, what }) => {
    const text = at.length === 0 ? what : `${z.core.toDotPath([...at])}: ${what}`;
    return { ...entry.placeAt(at), text };
  });
  const sorted = placed.toSorted((one, other) => one.line - other.line || one.column - other.column);
  throw new UsageError(`${file} has ${countProblems(problems)}; nothing was sent`, {
    problems: sorted.map(({ line, column, text }) => `${file}:${line}:${column}: ${text}`),
  });
}

/** Drops the service's own fields, so that a saved list can be created elsewhere. */
function checkEntry<Input>(
  value: unknown,
  { singular, fields, prepare, schemaFor }: EntryKind<Input>,
  { system }: Context,
): { readonly input: Input } | { readonly problems: readonly Problem[] } {
  if (!isResource(value)) {
    const names = new Intl.ListFormat('en-GB').format(fields);
    return { problems: [{ path: [], what: `not an object with ${names}` }] };
  }
  const known = new Set([...fields, 'id', 'created_at', 'updated_at']);
  const unknown = Object.keys(value).filter((name) => !known.has(name) && !known.has(toSnakeCase(name)));
  const written = Object.fromEntries(fields.map((field): [string, unknown] => [field, value[field]]));
  const { body, problem } = prepare?.(written, system.env) ?? { body: written };
  const { data, error } = schemaFor(body).safeParse(body);
  const problems = [
    ...unknown.map((name) => ({ path: [name], what: `unknown field of a ${singular}` })),
    ...(problem === undefined ? [] : [problem]),
    ...(error?.issues ?? []).map(({ path, message }) => ({
      path,
      what: hasValueAt(body, path) ? message : 'missing',
    })),
  ];
  return data === undefined || problems.length > 0 ? { problems } : { input: data };
}

function hasValueAt(value: unknown, [step, ...rest]: readonly PropertyKey[]): boolean {
  if (step === undefined) return value !== undefined;
  return isResource(value) && Object.hasOwn(value, step) && hasValueAt(Reflect.get(value, step), rest);
}
