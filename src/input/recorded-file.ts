import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type RecordedExchange, recordedExchangeSchema } from '../api/control/recorded-exchange.js';
import { describeIssues } from '../api/schema/schema.js';
import { describeFileError, UsageError } from '../errors/errors.js';
import { tryParseJson } from '../text/exact-json.js';

/** Maximum characters in a line; a proxy's longest line, with both bodies, is shorter. */
const longestLine = 4 * 1024 * 1024;

const hint = 'orgctl proxy --record writes such files';

interface RecordedLine {
  readonly line: number;
  readonly exchange: RecordedExchange;
}

/**
 * Reads a file of `orgctl proxy --record` line by line. Skips an incomplete last line, which a killed proxy may leave.
 * @param option the command-line option, for errors
 * @param onCut called if that line was skipped
 * @throws UsageError if the file is unreadable, invalid or from more than one service
 */
export async function* readRecordedFile(
  option: string,
  path: string,
  directory: string,
  onCut: (message: string) => Promise<void>,
): AsyncGenerator<RecordedLine> {
  const name = `${option} ${path}`;
  let line = 0;
  let service: string | undefined;
  for await (const { text, isWhole } of readLines(resolve(directory, path), name)) {
    line += 1;
    if (text.trim() === '') continue;
    const value = tryParseJson(text);
    if (!isWhole && value === undefined && line > 1) {
      await onCut(`${name}: line ${line} is incomplete and was skipped`);
      return;
    }
    const { data: exchange, error } = recordedExchangeSchema.safeParse(value);
    if (error !== undefined) {
      const problem = value === undefined ? 'not JSON' : describeIssues(error);
      throw new UsageError(`${name}: line ${line} is not a recorded exchange: ${problem}`, { hint });
    }
    service ??= exchange.service;
    if (exchange.service !== service) {
      throw new UsageError(
        `${name}: line ${line} is from ${exchange.service}, but the lines before it are from ${service}`,
        { hint: 'record each service in its own file' },
      );
    }
    yield { line, exchange };
  }
  if (service === undefined) throw new UsageError(`${name}: no recorded exchanges`, { hint });
}

interface Line {
  readonly text: string;
  readonly isWhole: boolean;
}

async function* readLines(path: string, name: string): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let count = 0;
  for await (const chunk of readChunks(path, name)) {
    const lines = (rest + decode(decoder, chunk, name, count)).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      count += 1;
      yield { text, isWhole: true };
    }
    if (rest.length > longestLine) {
      throw new UsageError(`${name}: line ${count + 1} is longer than ${longestLine / 1024 / 1024} MiB`, {
        hint,
      });
    }
  }
  if (rest !== '') yield { text: rest, isWhole: false };
}

function decode(
  decoder: InstanceType<typeof TextDecoder>,
  chunk: Buffer,
  name: string,
  lines: number,
): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new UsageError(`${name}: not UTF-8 text after line ${lines}`, { hint, cause });
  }
}

async function* readChunks(path: string, name: string): AsyncGenerator<Buffer> {
  try {
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (!(await file.stat()).isFile()) throw new UsageError(`${name}: not a regular file`, { hint });
    for await (const chunk of file.createReadStream({ autoClose: false }))
      if (Buffer.isBuffer(chunk)) yield chunk;
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`${name}: ${describeFileError(cause)}`, { cause });
  }
}
