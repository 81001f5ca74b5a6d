import { resolve } from 'node:path';
import type { Context } from '../../context.js';
import { tryParseJson } from '../../contract/exact-json.js';
import { fileMessageOf, UsageError } from '../../errors.js';
import { readInputFile } from '../input-file.js';
import type { Entries } from './yaml-entries.js';

export interface EntryFile extends Entries {
  /** Its name in messages: the path as typed, or `stdin`. */
  readonly name: string;
}

/**
 * Reads the entries of a JSON, YAML or JSONL file, or of stdin for `-`. The format is detected from the content;
 * `.jsonl` and `.ndjson` are always JSONL.
 *
 * @throws UsageError when it cannot be read or parsed; its problems name file and line and never quote the text
 */
export async function readEntryFile(
  path: string,
  context: Pick<Context, 'system' | 'stdin'>,
): Promise<EntryFile> {
  const name = path === '-' ? 'stdin' : path;
  const text = textOf(await read(path, context), name);
  if (text.trim() === '') throw new UsageError(`${name} is empty`, { hint: 'an empty list is []' });
  const isLines = /\.(jsonl|ndjson)$/i.test(path) || isJsonLines(text);
  return { name, ...(isLines ? parseLines(text, name) : await parseDocument(text, name)) };
}

async function read(path: string, context: Pick<Context, 'system' | 'stdin'>): Promise<Buffer> {
  if (path === '-') return context.stdin('--file -');
  try {
    return await readInputFile(resolve(context.system.cwd(), path));
  } catch (error) {
    throw new UsageError(`--file ${path}: ${fileMessageOf(error)}`, { cause: error });
  }
}

/** The text of a file. @throws UsageError when it is not UTF-8 */
export function textOf(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UsageError(`${name} is not UTF-8 text`, { cause: error });
  }
}

/** One line of JSONL (jsonlines.org) that is not blank. */
interface JsonLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** The lines of a text that are not blank. */
function jsonLines(text: string): JsonLine[] {
  return text
    .split('\n')
    .map((line, index) => ({ line: index + 1, text: line }))
    .filter((line) => line.text.trim() !== '');
}

/** Whether a text of unknown format is JSONL: its first line is a whole object, and another starts on the second. */
function isJsonLines(text: string): boolean {
  const [first, second] = jsonLines(text);
  if (first === undefined || second === undefined) return false;
  return (
    [first, second].every((line) => line.text.trimStart().startsWith('{')) &&
    tryParseJson(first.text) !== undefined
  );
}

function parseLines(text: string, name: string): Entries {
  const lines = jsonLines(text).map(({ line, text }) => ({ line, value: tryParseJson(text) }));
  const bad = lines.filter(({ value }) => value === undefined);
  if (bad.length > 0) throw malformed(bad.map(({ line }) => `${name}:${line}: not JSON`));
  return {
    entries: lines.map(({ value }) => value),
    lineOf: async ({ entry }) => lines[entry]?.line ?? 1,
  };
}

// JSON first: its own parser takes a fiftieth of the time, and lines are only needed for problems.
async function parseDocument(text: string, name: string): Promise<Entries> {
  const value = tryParseJson(text);
  if (value === undefined) return parseYaml(text, name);
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  let lineOf: Entries['lineOf'] | undefined;
  return {
    entries,
    lineOf: async (field) => {
      lineOf ??= (await import('./yaml-entries.js')).yamlLines(text);
      return lineOf(field);
    },
  };
}

async function parseYaml(text: string, name: string): Promise<Entries> {
  const { parseYamlEntries } = await import('./yaml-entries.js');
  const { MalformedYaml } = await import('../yaml-text.js');
  try {
    return parseYamlEntries(text);
  } catch (error) {
    if (error instanceof MalformedYaml) {
      const what = isMeantAsJson(text, name) ? 'not JSON' : error.message;
      throw malformed([`${name}:${error.line}: ${what}`]);
    }
    throw error;
  }
}

/** Whether a message about flow maps would be puzzling. */
function isMeantAsJson(text: string, name: string): boolean {
  return /\.json$/i.test(name) || (!/\.ya?ml$/i.test(name) && /^\s*[[{]/.test(text));
}

function malformed(problems: readonly string[]): UsageError {
  return new UsageError('the file cannot be read as JSON, YAML or JSONL; nothing was sent', { problems });
}
