import { resolve } from 'node:path';
import { resources } from '../api/resources/index.js';
import { isResource } from '../api/resources/resource.js';
import type { Context } from '../cli/context.js';
import { toOperands } from '../errors/advice.js';
import { describeFileError, UsageError } from '../errors/errors.js';
import { tryParseJson } from '../text/exact-json.js';
import { decodeText } from '../text/utf8.js';
import { parseDocuments } from './document-file.js';
import { maxProblems } from './file-problems.js';
import { onlyOrganization } from './forms/file-forms.js';
import { readInputFile } from './input-file.js';
import { MalformedText, parseInputJson, placeInJson, type TextDocument } from './json-text.js';

export interface EntryFile {
  readonly name: string;
  readonly entries: readonly TextDocument[];
}

/**
 * Reads the entries of one kind from JSON, YAML or JSONL: a list, single entries, an organization file or a seed. `-` is
 * stdin.
 * @throws UsageError, which never quotes the text
 */
export async function readEntryFile(path: string, kind: string, context: Context): Promise<EntryFile> {
  const name = path === '-' ? 'stdin' : path;
  const text = decodeText(await readBytes(path, context), name);
  const isLines = /\.(jsonl|ndjson)$/i.test(path) || isJsonLines(text);
  const documents = isLines ? parseLines(text, name) : await parse(text, name, context);
  const filled = documents.filter(({ value }) => value !== null);
  const [only, ...more] = filled;
  if (only === undefined) throw new UsageError(`${name} is empty`, { hint: 'an empty list is []' });
  const listed = more.length === 0 ? await findKind(only, name, kind, context) : undefined;
  return { name, entries: listed ?? filled.flatMap((document) => listEntries(document, [])) };
}

async function readBytes(path: string, context: Context): Promise<Buffer> {
  if (path === '-') return context.stdin('--file -');
  try {
    return await readInputFile(resolve(context.system.cwd(), path));
  } catch (error) {
    throw new UsageError(`--file ${path}: ${describeFileError(error)}`, { cause: error });
  }
}

async function parse(text: string, name: string, context: Context): Promise<readonly TextDocument[]> {
  try {
    return await parseDocuments(text, name, context);
  } catch (error) {
    if (error instanceof MalformedText) throw refuseText([error.describe(name)]);
    throw error;
  }
}

function refuseText(problems: readonly string[]): UsageError {
  return new UsageError('the file is malformed; nothing was sent', { problems });
}

/** JSONL if the first line with text is a whole JSON object, and the second begins another. */
function isJsonLines(text: string): boolean {
  const [first, second] = text.split('\n').filter((line) => line.trim() !== '');
  return second?.trimStart().startsWith('{') === true && isResource(tryParseJson(first ?? ''));
}

function parseLines(text: string, name: string): readonly TextDocument[] {
  const problems: string[] = [];
  const documents = text.split('\n').flatMap((content, index): TextDocument[] => {
    if (content.trim() === '') return [];
    const line = index + 1;
    const placeAt = (path: readonly PropertyKey[]) => ({ ...placeInJson(content, path), line });
    try {
      const value = parseInputJson(content);
      if (value === undefined) throw new MalformedText('not JSON', placeAt([]));
      return [{ value, placeAt }];
    } catch (error) {
      if (!(error instanceof MalformedText)) throw error;
      const { column, message } = error;
      problems.push(new MalformedText(message, { line, column }).describe(name));
      return [];
    }
  });
  if (problems.length > 0) throw refuseText(problems.slice(0, maxProblems));
  return documents;
}

/** The items of a list, or the one value, below `above`. */
function listEntries({ value, placeAt }: TextDocument, above: readonly PropertyKey[]): TextDocument[] {
  if (!Array.isArray(value)) return [{ value, placeAt: (path) => placeAt([...above, ...path]) }];
  return value.map((entry: unknown, at) => ({
    value: entry,
    placeAt: (path) => placeAt([...above, at, ...path]),
  }));
}

/** The entries of a kind in an organization file or a seed; `undefined` for any other form. */
async function findKind(
  { value, placeAt }: TextDocument,
  name: string,
  kind: string,
  context: Context,
): Promise<TextDocument[] | undefined> {
  if (!isResource(value) || Object.hasOwn(value, 'name')) return undefined;
  const seeded = onlyOrganization(value);
  if (seeded === undefined && !Object.hasOwn(value, 'version') && !Array.isArray(value[kind]))
    return undefined;
  const lists = seeded ?? value;
  if (!Array.isArray(lists[kind])) {
    throw new UsageError(`${name} has no list of ${kind}; nothing was sent`);
  }
  const hasEntries = (list: unknown) => Array.isArray(list) && list.length > 0;
  const others = resources.flatMap((other) =>
    other.kind !== kind && hasEntries(lists[other.kind]) ? [other.kind] : [],
  );
  if (others.length > 0) {
    await context.note(
      `only ${kind} are created; the file also has ${others.join(' and ')}. To apply the whole file`,
      ['orgctl', 'apply', ...(name === 'stdin' ? ['FILE'] : toOperands(name))],
    );
  }
  const above = seeded === undefined ? [kind] : ['organizations', 0, kind];
  return listEntries({ value: lists[kind], placeAt }, above);
}
