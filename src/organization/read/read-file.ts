import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { connections } from '../../api/resources/connection.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { isResource } from '../../api/resources/resource.js';
import { z } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import type { Advice } from '../../errors/advice.js';
import { describeFileError, UsageError } from '../../errors/errors.js';
import { countProblems, maxProblems, parseDocuments } from '../../input/document-file.js';
import { expandPasswordVariable } from '../../input/forms/connection-settings.js';
import { toOrganizationForm } from '../../input/forms/file-forms.js';
import { readInputFile } from '../../input/input-file.js';
import { MalformedText, type TextDocument, type TextPlace } from '../../input/json-text.js';
import { decodeText } from '../../text/utf8.js';
import { kindsOfFile, maxFileBytes } from '../declaration/organization-file.js';
import { checkFile } from './check-file.js';
import type { FileEntry, FileProblem, OrganizationFile } from './file-entry.js';

/** Reads a YAML or JSON file, or stdin for `-`. @throws UsageError that lists problems with their places */
export async function readOrganizationFile(path: string, context: Context): Promise<OrganizationFile> {
  const name = path === '-' ? 'stdin' : path;
  const bytes = await readInput(path, context);
  if (bytes.length > maxFileBytes) throw new UsageError(`${name} is larger than ${maxFileBytes} bytes`);
  const text = decodeText(bytes, name);
  const document = await parseFile(text, name, context);
  if (document.value === null)
    throw new UsageError(`${name} is empty`, { hint: 'orgctl export writes an organization file' });
  const { value: formed, toSource } = toOrganizationForm(document.value);
  const value = expandPasswordVariables(formed);
  const refusal = (problems: readonly FileProblem[], advice?: Advice) =>
    refuseFile(name, problems, (path) => document.placeAt(toSource(path)), advice);
  const problems = await context.whileBusy(() => checkFile(value));
  if (problems.length > 0) throw refusal(problems);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const directory = path === '-' ? context.system.cwd() : dirname(resolve(context.system.cwd(), path));
  return { kinds: readFileEntries(value), directory, sha256, refusal };
}

async function readInput(path: string, context: Context): Promise<Buffer> {
  if (path === '-') return context.stdin('-', maxFileBytes);
  try {
    return await readInputFile(resolve(context.system.cwd(), path), maxFileBytes);
  } catch (error) {
    throw new UsageError(`${path}: ${describeFileError(error)}`, { cause: error });
  }
}

function expandPasswordVariables(value: unknown): unknown {
  if (!isResource(value)) return value;
  const { [connections.kind]: list } = value;
  if (!Array.isArray(list)) return value;
  const expanded = list.map((entry) =>
    isResource(entry) && isResource(entry['config'])
      ? { ...entry, config: expandPasswordVariable(entry['type'], entry['config']) }
      : entry,
  );
  return { ...value, [connections.kind]: expanded };
}

type PlaceOf = (path: readonly PropertyKey[]) => TextPlace;

/** @throws UsageError with the place of the fault */
async function parseFile(
  text: string,
  name: string,
  context: Pick<Context, 'whileBusy'>,
): Promise<TextDocument> {
  try {
    const [first, second] = await parseDocuments(text, name, context);
    if (second !== undefined) {
      const what = 'an organization file must be one document; a second one begins here';
      throw new MalformedText(what, second.placeAt([]));
    }
    return first ?? { value: null, placeAt: () => ({ line: 1, column: 1 }) };
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    throw new UsageError(`${name} is invalid`, { problems: [error.describe(name)], cause: error });
  }
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
  placeOf: PlaceOf,
  advice: Advice = {},
): UsageError {
  const located = problems
    .slice(0, maxProblems)
    .map(({ path, what, against }) => ({
      ...placeOf(path),
      text: `${path.length === 0 ? '' : `${toDotted(path)}: `}${what}${against === undefined ? '' : ` (line ${placeOf(against).line})`}`,
    }))
    .toSorted((one, other) => one.line - other.line || one.column - other.column);
  return new UsageError(`${name} has ${countProblems(problems)}; nothing was changed`, {
    ...advice,
    problems: located.map(({ line, column, text }) => `${name}:${line}:${column}: ${text}`),
  });
}

function toDotted([kind, ...path]: readonly PropertyKey[]): string {
  const below = z.core.toDotPath(path);
  return `${String(kind)}${below === '' || below.startsWith('[') ? below : `.${below}`}`;
}
