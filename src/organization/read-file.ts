import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { DeclaredResource } from '../api/resources/index.js';
import { isResource } from '../api/resources/resource.js';
import { z } from '../api/schema/schema.js';
import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';
import { countProblems, maxProblems, readDocument, readInputFile } from '../input/document-file.js';
import type { TextPlace } from '../input/json-text.js';
import { decodeText } from '../text/utf8.js';
import { entrySchemaFor, kindsOfFile, maxFileBytes, type OrganizationEntry, outlineSchema } from './file.js';

export interface FileProblem {
  readonly path: readonly PropertyKey[];
  /** Never contains a setting's value, which may be a password. */
  readonly what: string;
}

/** Such as `teams[0]`. */
export function nameEntry([kind, index]: readonly PropertyKey[]): string {
  return `${String(kind)}[${String(index)}]`;
}

export interface FileEntry {
  readonly resource: DeclaredResource;
  readonly entry: OrganizationEntry;
  readonly path: readonly PropertyKey[];
}

export interface OrganizationFile {
  readonly kinds: ReadonlyMap<DeclaredResource, readonly FileEntry[]>;
  /** Base of relative paths in the file. */
  readonly directory: string;
  readonly sha256: string;
  refusal(problems: readonly FileProblem[]): UsageError;
}

/** Reads a YAML or JSON file, or stdin for `-`. @throws UsageError that lists problems with their places */
export async function readOrganizationFile(path: string, context: Context): Promise<OrganizationFile> {
  const name = path === '-' ? 'stdin' : path;
  const directory = path === '-' ? context.system.cwd() : dirname(resolve(context.system.cwd(), path));
  const bytes = await (path === '-'
    ? context.stdin('-', maxFileBytes)
    : readInputFile(path, path, context.system.cwd(), maxFileBytes));
  const document = await readDocument(decodeText(bytes, name), name, 'an organization file');
  if (document.value === null)
    throw new UsageError(`${name} is empty`, { hint: 'orgctl export writes an organization file' });
  const { value, placeAt } = document;
  const refusal = (problems: readonly FileProblem[]) => refuseFile(name, problems, placeAt);
  const problems = checkFile(value);
  if (problems.length > 0) throw refusal(problems);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { kinds: readFileEntries(value), directory, sha256, refusal };
}

function readFileEntries(value: unknown): ReadonlyMap<DeclaredResource, readonly FileEntry[]> {
  const lists = new Map(Object.entries(Object(value)));
  return new Map(
    kindsOfFile.flatMap((resource) => {
      const list = lists.get(resource.kind);
      if (!Array.isArray(list)) return [];
      const entries = list.map((entry, index) => ({ resource, entry, path: [resource.kind, index] }));
      return [[resource, entries] as const];
    }),
  );
}

function refuseFile(
  name: string,
  problems: readonly FileProblem[],
  placeOf: (path: readonly PropertyKey[]) => TextPlace,
): UsageError {
  const located = problems
    .slice(0, maxProblems)
    .map(({ path, what }) => ({
      ...placeOf(path),
      text: path.length === 0 ? what : `${toDotted(path)}: ${what}`,
    }))
    .toSorted((one, other) => one.line - other.line || one.column - other.column);
  return new UsageError(`${name} has ${countProblems(problems)}; nothing was changed`, {
    problems: located.map(({ line, column, text }) => `${name}:${line}:${column}: ${text}`),
  });
}

/** Such as `api-keys[0].name`; zod would quote `api-keys`, which is not an identifier. */
function toDotted([kind, ...path]: readonly PropertyKey[]): string {
  const below = z.core.toDotPath(path);
  return `${String(kind)}${below === '' || below.startsWith('[') ? below : `.${below}`}`;
}

/** Problems of a file, without asking the service. */
export function checkFile(value: unknown): readonly FileProblem[] {
  const outline = findProblems(value, outlineSchema, []);
  if (!isResource(value)) return outline;
  const lists = kindsOfFile.flatMap((resource) => {
    const list = value[resource.kind];
    if (!Array.isArray(list)) return [];
    const ofEntries = list.flatMap((entry, index) =>
      findProblems(entry, entrySchemaFor(resource, entry), [resource.kind, index]),
    );
    return [...ofEntries, ...findDuplicates(list, resource.kind)];
  });
  return [...outline, ...lists];
}

function findProblems(
  value: unknown,
  schema: z.ZodMiniType,
  at: readonly PropertyKey[],
): readonly FileProblem[] {
  return (schema.safeParse(value).error?.issues ?? []).flatMap((issue): FileProblem[] => {
    const path = [...at, ...issue.path];
    if (issue.code !== 'unrecognized_keys') return [{ path, what: issue.message }];
    return issue.keys.map((key) => ({ path: [...path, key], what: 'unknown field' }));
  });
}

/** Finds repeated IDs and secret targets, and repeated names unless both entries have an `id`. */
function findDuplicates(list: readonly unknown[], kind: string): readonly FileProblem[] {
  const firsts = new Map<string, { readonly index: number; readonly isPinned: boolean }>();
  return list.flatMap((entry, index) => {
    if (!isResource(entry)) return [];
    const { name, id, renamed_from, secret_to } = entry;
    const isPinned = id !== undefined;
    return Object.entries({ name, id, renamed_from, secret_to }).flatMap(([field, value]): FileProblem[] => {
      if (value === undefined) return [];
      const claim = JSON.stringify([field, value]);
      const first = firsts.get(claim);
      firsts.set(claim, first ?? { index, isPinned });
      const isName = field === 'name' || field === 'renamed_from';
      if (first === undefined || (isName && isPinned && first.isPinned)) return [];
      return [{ path: [kind, index, field], what: `the same as in ${nameEntry([kind, first.index])}` }];
    });
  });
}
