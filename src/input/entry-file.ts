import { resolve } from 'node:path';
import type { Context } from '../cli/context.js';
import { describeFileError, UsageError } from '../errors/errors.js';
import { tryParseJson } from '../text/exact-json.js';
import { decodeText } from '../text/utf8.js';
import { maxProblems } from './file-problems.js';
import { parseInputJson, placeInJson } from './formats/json-text.js';
import { MalformedText } from './formats/malformed-text.js';
import { readInputFile } from './input-file.js';
import type { Entries } from './yaml-entries.js';

export interface EntryFile extends Entries {
  readonly name: string;
}

/** Reads a file of JSON, YAML or JSONL; `-` is stdin. @throws UsageError, which never quotes the text */
export async function readEntryFile(
  path: string,
  context: Pick<Context, 'system' | 'stdin' | 'whileBusy'>,
): Promise<EntryFile> {
  const name = path === '-' ? 'stdin' : path;
  const text = decodeText(await readEntries(path, context), name);
  if (text.trim() === '') throw new UsageError(`${name} is empty`, { hint: 'an empty list is []' });
  if (/\.(jsonl|ndjson)$/i.test(path) || isJsonLines(text)) return { name, ...parseLines(text, name) };
  const json = parseDocument(text, name);
  if (json !== undefined) return { name, ...json };
  const { parseYamlEntries } = await import('./yaml-entries.js');
  return { name, ...(await context.whileBusy(() => parseYamlList(text, name, parseYamlEntries))) };
}

async function readEntries(path: string, context: Pick<Context, 'system' | 'stdin'>): Promise<Buffer> {
  if (path === '-') return context.stdin('--file -');
  try {
    return await readInputFile(resolve(context.system.cwd(), path));
  } catch (error) {
    throw new UsageError(`--file ${path}: ${describeFileError(error)}`, { cause: error });
  }
}

interface JsonLine {
  readonly line: number;
  readonly text: string;
}

function jsonLines(text: string): JsonLine[] {
  return text
    .split('\n')
    .map((line, index) => ({ line: index + 1, text: line }))
    .filter((line) => line.text.trim() !== '');
}

/** JSONL if the first line with text is a whole JSON object, and the second begins another. */
function isJsonLines(text: string): boolean {
  const [first, second] = jsonLines(text);
  if (first === undefined || second === undefined) return false;
  return (
    [first, second].every((line) => line.text.trimStart().startsWith('{')) &&
    tryParseJson(first.text) !== undefined
  );
}

function parseLines(text: string, name: string): Entries {
  const lines = jsonLines(text).map(({ line, text }) => ({ line, ...parseLine(text) }));
  const bad = lines.filter(({ problem }) => problem !== undefined);
  if (bad.length > 0) {
    throw malformedEntries(bad.slice(0, maxProblems).map(({ line, problem }) => `${name}:${line}${problem}`));
  }
  return {
    entries: lines.map(({ value }) => value),
    lineOf: async ({ entry }) => lines[entry]?.line ?? 1,
  };
}

function parseLine(text: string): { readonly value?: unknown; readonly problem?: string } {
  try {
    const value = parseInputJson(text);
    return value === undefined ? { problem: ': not JSON' } : { value };
  } catch (error) {
    if (error instanceof MalformedText) return { problem: `:${error.column}: ${error.message}` };
    throw error;
  }
}

/** The entries of a JSON document; `undefined` if the text is not JSON. */
function parseDocument(text: string, name: string): Entries | undefined {
  const value = refusingIn(name, () => parseInputJson(text));
  if (value === undefined) return undefined;
  const isList = Array.isArray(value);
  return {
    entries: isList ? value : [value],
    lineOf: async ({ entry, path }) => placeInJson(text, isList ? [entry, ...path] : path).line,
  };
}

function parseYamlList(text: string, name: string, parse: (text: string) => Entries): Entries {
  return refusingIn(name, () => parse(text), isMeantAsJson(text, name) ? 'not JSON' : undefined);
}

function refusingIn<Result>(name: string, parse: () => Result, what?: string): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    const { line, column, message } = error;
    throw malformedEntries([
      what === undefined ? `${name}:${line}:${column}: ${message}` : `${name}:${line}: ${what}`,
    ]);
  }
}

/** Whether a text looks like JSON, so that a message about YAML would be confusing. */
function isMeantAsJson(text: string, name: string): boolean {
  return /\.json$/i.test(name) || (!/\.ya?ml$/i.test(name) && /^\s*[[{]/.test(text));
}

function malformedEntries(problems: readonly string[]): UsageError {
  return new UsageError('the file is malformed; nothing was sent', { problems });
}
