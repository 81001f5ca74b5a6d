import { resources } from '../api/resources/index.js';
import { isResource } from '../api/resources/resource.js';
import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';
import { tryParseJson } from '../text/exact-json.js';
import { decodeText } from '../text/utf8.js';
import { maxProblems, parseDocuments, readInputFile } from './document-file.js';
import { MalformedText, parseInputJson, placeInJson, type TextDocument } from './json-text.js';

/**
 * Reads the entries of one kind from JSON, YAML or JSONL: a list, single entries, or an organization file. `-` is stdin.
 * @throws UsageError, which never quotes the text
 */
export async function readEntryFile(
  path: string,
  kind: string,
  context: Context,
): Promise<readonly TextDocument[]> {
  const name = path === '-' ? 'stdin' : path;
  const option = `--file ${path}`;
  const bytes = path === '-' ? context.stdin(option) : readInputFile(path, option, context.system.cwd());
  const text = decodeText(await bytes, name);
  const isLines = /\.(jsonl|ndjson)$/i.test(path) || isJsonLines(text);
  const documents = isLines ? parseLines(text, name) : await parseDocuments(text, name, context);
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
  const others = resources.filter((other) => other.kind !== kind && Object.hasOwn(value, other.kind));
  if (others.length > 0) await context.note(`only ${kind} are created; orgctl apply applies the whole file`);
  return listEntries({ value: value[kind], placeAt: (below) => placeAt([kind, ...below]) });
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
    const placeAt: TextDocument['placeAt'] = (path) => placeInJson(content, path, index + 1);
    try {
      const value = parseInputJson(content, name, index + 1);
      if (value === undefined) throw new MalformedText('not JSON', name, placeAt([]));
      return [{ value, placeAt }];
    } catch (error) {
      if (!(error instanceof MalformedText)) throw error;
      problems.push(error.message);
      return [];
    }
  });
  if (problems.length === 0) return documents;
  throw new UsageError(`${name} is malformed; nothing was sent`, {
    problems: problems.slice(0, maxProblems),
  });
}

/** The items of a list, or the one value. */
function listEntries(document: TextDocument): readonly TextDocument[] {
  const { value, placeAt } = document;
  if (!Array.isArray(value)) return [document];
  return value.map((entry: unknown, at) => ({ value: entry, placeAt: (path) => placeAt([at, ...path]) }));
}
