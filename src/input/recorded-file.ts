import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type RecordedExchange, recordedExchangeSchema } from '../api/control/recorded-exchange.js';
import { describeIssues } from '../api/schema/schema.js';
import { describeFileError, UsageError } from '../errors/errors.js';
import { tryParseJson } from '../text/exact-json.js';

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
  let problem: UsageError | undefined;
  for await (const text of readLines(resolve(directory, path), name)) {
    // Only the last line may be incomplete.
    if (problem !== undefined) throw problem;
    line += 1;
    if (text.trim() === '') continue;
    const value = tryParseJson(text);
    const { data: exchange, error } = recordedExchangeSchema.safeParse(value);
    if (exchange === undefined) {
      const why = value === undefined ? 'not JSON' : describeIssues(error);
      problem = new UsageError(`${name}: line ${line} is not a recorded exchange: ${why}`, { hint });
      if (value === undefined && service !== undefined) continue;
      throw problem;
    }
    service ??= exchange.service;
    if (exchange.service !== service) {
      const what = `${name}: line ${line} is from ${exchange.service}, but the lines before it are from ${service}`;
      throw new UsageError(what, { hint: 'record each service in its own file' });
    }
    yield { line, exchange };
  }
  if (problem !== undefined) await onCut(`${name}: line ${line} is incomplete and was skipped`);
  else if (service === undefined) throw new UsageError(`${name}: no recorded exchanges`, { hint });
}

async function* readLines(path: string, name: string): AsyncGenerator<string> {
  try {
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (!(await file.stat()).isFile()) throw new UsageError(`${name}: not a regular file`, { hint });
    yield* file.readLines();
  } catch (cause) {
    throw cause instanceof UsageError
      ? cause
      : new UsageError(`${name}: ${describeFileError(cause)}`, { cause });
  }
}
