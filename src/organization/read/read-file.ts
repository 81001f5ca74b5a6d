import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { DeclaredResource } from '../../api/resources/index.js';
import { z } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import type { Advice } from '../../errors/advice.js';
import { UsageError } from '../../errors/errors.js';
import { countProblems, maxProblems, readDocument, readInputFile } from '../../input/document-file.js';
import { toOrganizationForm } from '../../input/forms/file-forms.js';
import type { TextPlace } from '../../input/json-text.js';
import { decodeText } from '../../text/utf8.js';
import { kindsOfFile, maxFileBytes } from '../declaration/organization-file.js';
import { checkFile } from './check-file.js';
import type { FileEntry, FileProblem, OrganizationFile } from './file-entry.js';

/** Reads a YAML or JSON file, or stdin for `-`. @throws UsageError that lists problems with their places */
export async function readOrganizationFile(path: string, context: Context): Promise<OrganizationFile> {
  const name = path === '-' ? 'stdin' : path;
  const bytes = await (path === '-'
    ? context.stdin('-', maxFileBytes)
    : readInputFile(path, path, context.system.cwd(), maxFileBytes));
  if (bytes.length > maxFileBytes) throw new UsageError(`${name} is larger than ${maxFileBytes} bytes`);
  const text = decodeText(bytes, name);
  const document = await readDocument(text, name, 'an organization file', context);
  if (document.value === null)
    throw new UsageError(`${name} is empty`, { hint: 'orgctl export writes an organization file' });
  const { value, toSource } = toOrganizationForm(document.value);
  const refusal = (problems: readonly FileProblem[], advice?: Advice) =>
    refuseFile(name, problems, (path) => document.placeAt(toSource(path)), advice);
  const problems = await context.whileBusy(() => checkFile(value));
  if (problems.length > 0) throw refusal(problems);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const directory = path === '-' ? context.system.cwd() : dirname(resolve(context.system.cwd(), path));
  return { kinds: readFileEntries(value), directory, sha256, refusal };
}

type PlaceOf = (path: readonly PropertyKey[]) => TextPlace;

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
