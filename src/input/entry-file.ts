import { resolve } from 'node:path';
import { resources } from '../api/resources/index.js';
import { isResource } from '../api/resources/resource.js';
import type { Context } from '../cli/context.js';
import { toOperands } from '../errors/advice.js';
import { describeFileError, UsageError } from '../errors/errors.js';
import { tryParseJson } from '../text/exact-json.js';
import { decodeText } from '../text/utf8.js';
import { maxProblems, parseDocuments } from './document-file.js';
import { readInputFile } from './input-file.js';
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
  const text = decodeText(await readBytes(path, context), name);
  const isLines = /\.(jsonl|ndjson)$/i.test(path) || isJsonLines(text);
  const documents = isLines ? parseLines(text, name) : await parse(text, name, context);
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
  const isFilled = (list: unknown) => Array.isArray(list) && list.length > 0;
  const others = resources.filter((other) => other.kind !== kind && isFilled(value[other.kind]));
  if (others.length > 0) {
    const what = others.map((other) => other.kind).join(' and ');
    await context.note(`only ${kind} are created; the file also has ${what}. To apply the whole file`, [
      'orgctl',
      'apply',
      ...(name === 'stdin' ? ['FILE'] : toOperands(name)),
    ]);
  }
  return listEntries({ value: value[kind], placeAt: (below) => placeAt([kind, ...below]) });
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
    throw error instanceof MalformedText ? refuseText([error.describe(name)]) : error;
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
    const placeAt: TextDocument['placeAt'] = (path) => ({ ...placeInJson(content, path), line: index + 1 });
    try {
      const value = parseInputJson(content);
      if (value !== undefined) return [{ value, placeAt }];
      problems.push(new MalformedText('not JSON', placeAt([])).describe(name));
    } catch (error) {
      if (!(error instanceof MalformedText)) throw error;
      problems.push(new MalformedText(error.message, { ...error.at, line: index + 1 }).describe(name));
    }
    return [];
  });
  if (problems.length > 0) throw refuseText(problems.slice(0, maxProblems));
  return documents;
}

/** The items of a list, or the one value. */
function listEntries(document: TextDocument): readonly TextDocument[] {
  const { value, placeAt } = document;
  if (!Array.isArray(value)) return [document];
  return value.map((entry: unknown, at) => ({ value: entry, placeAt: (path) => placeAt([at, ...path]) }));
}
