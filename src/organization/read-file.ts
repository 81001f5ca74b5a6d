import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { DeclaredResource } from '../api/resources/index.js';
import { z } from '../api/schema/schema.js';
import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';
import { countProblems, maxProblems, readDocument, readInputFile } from '../input/document-file.js';
import type { TextPlace } from '../input/json-text.js';
import { decodeText } from '../text/utf8.js';
import { checkFile, type FileProblem } from './check-file.js';
import { kindsOfFile, maxFileBytes, type OrganizationEntry } from './file.js';

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
  if (bytes.length > maxFileBytes) throw new UsageError(`${name} is larger than ${maxFileBytes} bytes`);
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
    .map(({ path, what, against }) => ({
      ...placeOf(path),
      text: `${path.length === 0 ? '' : `${toDotted(path)}: `}${what}${against === undefined ? '' : ` (line ${placeOf(against).line})`}`,
    }))
    .toSorted((one, other) => one.line - other.line || one.column - other.column);
  return new UsageError(`${name} has ${countProblems(problems)}; nothing was changed`, {
    problems: located.map(({ line, column, text }) => `${name}:${line}:${column}: ${text}`),
  });
}

/** zod quotes `api-keys`, which is not an identifier. */
function toDotted([kind, ...path]: readonly PropertyKey[]): string {
  const below = z.core.toDotPath(path);
  return `${String(kind)}${below === '' || below.startsWith('[') ? below : `.${below}`}`;
}
