import { isResource, type Resource, type ResourceDeclaration } from '../api/resources/resource.js';
import { type Problem, placeMessage, type z } from '../api/schema/schema.js';
import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';
import { tryParseJson } from '../text/exact-json.js';
import { toSnakeCase } from '../text/field-case.js';
import { decodeText } from '../text/utf8.js';
import { countProblems, maxProblems, parseDocuments, readInputFile } from './document-file.js';
import { MalformedText, parseInputJson, placeInJson, type TextDocument } from './json-text.js';

export interface EntryKind<Input> {
  readonly fields: readonly string[];
  schemaFor(body: unknown): z.ZodMiniType<Input>;
  /** Resolves references, such as a password in a variable. */
  prepare?(body: Readonly<Resource>, env: Context['system']['env']): Prepared;
}

export interface Prepared {
  readonly body: Readonly<Resource>;
  /** Never repeats a value, which may be a password. */
  readonly problem?: Problem | undefined;
}

/** Reads and checks the entries of `--file`. @throws UsageError listing all problems, including duplicate names */
export async function readInputs<Input>(
  path: string,
  { kind, singular }: ResourceDeclaration,
  entries: EntryKind<Input>,
  context: Context,
): Promise<readonly Input[]> {
  const inputs: Input[] = [];
  const problems: (Problem & { readonly entry: TextDocument })[] = [];
  const firsts = new Map<string, TextDocument>();
  for (const entry of await readEntryFile(path, kind, context)) {
    if (problems.length > maxProblems) break;
    const checked = checkEntry(entry.value, singular, entries, context);
    if ('input' in checked) inputs.push(checked.input);
    else problems.push(...checked.problems.map((problem) => ({ ...problem, entry })));
    const name = isResource(entry.value) ? entry.value['name'] : undefined;
    if (typeof name !== 'string') continue;
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, entry);
    else {
      const message = `the same as on line ${first.placeAt(['name']).line}`;
      problems.push({ entry, path: ['name'], message });
    }
  }
  if (problems.length === 0) return inputs;
  const file = path === '-' ? 'stdin' : path;
  const placed = problems.slice(0, maxProblems).map((problem) => {
    const { line, column } = problem.entry.placeAt(problem.path);
    return `${file}:${line}:${column}: ${placeMessage(problem)}`;
  });
  throw new UsageError(`${file} has ${countProblems(problems)}; nothing was sent`, { problems: placed });
}

/** Drops the service's own fields, so that a saved list can be created elsewhere. */
function checkEntry<Input>(
  value: unknown,
  singular: string,
  { fields, prepare, schemaFor }: EntryKind<Input>,
  { system }: Context,
): { readonly input: Input } | { readonly problems: readonly Problem[] } {
  if (!isResource(value))
    return { problems: [{ path: [], message: `not an object with ${fields.join(', ')}` }] };
  const known = new Set([...fields, 'id', 'created_at', 'updated_at']);
  const unknown = Object.keys(value).filter((name) => !known.has(name) && !known.has(toSnakeCase(name)));
  const written = Object.fromEntries(fields.map((field): [string, unknown] => [field, value[field]]));
  const { body, problem } = prepare?.(written, system.env) ?? { body: written };
  const { data, error } = schemaFor(body).safeParse(body);
  const problems = [
    ...unknown.map((name) => ({ path: [name], message: `unknown field of a ${singular}` })),
    ...(problem === undefined ? [] : [problem]),
    ...(error?.issues ?? []),
  ];
  return data === undefined || problems.length > 0 ? { problems } : { input: data };
}

/** JSON, YAML or JSONL: a list, single entries, or an organization file. @throws UsageError, which never quotes the text */
async function readEntryFile(path: string, kind: string, context: Context): Promise<readonly TextDocument[]> {
  const name = path === '-' ? 'stdin' : path;
  const option = `--file ${path}`;
  const bytes = path === '-' ? context.stdin(option) : readInputFile(path, option, context.system.cwd());
  const text = decodeText(await bytes, name);
  const isLines = /\.(jsonl|ndjson)$/i.test(path) || isJsonLines(text);
  const documents = isLines ? parseLines(text, name) : await parseDocuments(text, name);
  const filled = documents.filter(({ value }) => value !== null);
  const [only, ...more] = filled;
  if (only === undefined) throw new UsageError(`${name} is empty`, { hint: 'an empty list is []' });
  const { value, placeAt } = only;
  const isOrganization =
    more.length === 0 &&
    isResource(value) &&
    !Object.hasOwn(value, 'name') &&
    (Object.hasOwn(value, 'version') || Array.isArray(value[kind]));
  if (!isOrganization) return filled.flatMap((document) => listEntries(document));
  if (!Array.isArray(value[kind])) throw new UsageError(`${name} has no list of ${kind}; nothing was sent`);
  return listEntries({ value: value[kind], placeAt: (below) => placeAt([kind, ...below]) });
}

/** Whether the first line with text is a complete JSON object, and the second begins another. */
function isJsonLines(text: string): boolean {
  const [first, second] = text.split('\n').filter((line) => line.trim() !== '');
  return second?.trimStart().startsWith('{') === true && isResource(tryParseJson(first ?? ''));
}

function parseLines(text: string, name: string): readonly TextDocument[] {
  return text.split('\n').flatMap((content, index): TextDocument[] => {
    if (content.trim() === '') return [];
    const placeAt: TextDocument['placeAt'] = (path) => placeInJson(content, path, index + 1);
    const value = parseInputJson(content, name, index + 1);
    if (value === undefined) throw new MalformedText('not JSON', name, placeAt([]));
    return [{ value, placeAt }];
  });
}

/** The items of a list, or the one value. */
function listEntries(document: TextDocument): readonly TextDocument[] {
  const { value, placeAt } = document;
  if (!Array.isArray(value)) return [document];
  return value.map((entry: unknown, at) => ({ value: entry, placeAt: (path) => placeAt([at, ...path]) }));
}
