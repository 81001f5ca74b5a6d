import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type RecordedExchange, recordedExchangeSchema } from '../api/control/recorded-exchange.js';
import { checkValue } from '../api/schema/schema.js';
import { describeFileError, UsageError } from '../errors/errors.js';
import { tryParseJson } from '../text/exact-json.js';

const hint = 'orgctl proxy --record writes such files';

/** Reads a file of `proxy --record`, a line at a time. Skips lines that are cut, as a killed proxy leaves the last one. */
export async function* readRecordedFile(
  named: string,
  path: string,
  directory: string,
): AsyncGenerator<RecordedExchange> {
  let [line, found] = [0, 0];
  try {
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    await using file = await open(resolve(directory, path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    for await (const text of file.readLines()) {
      line += 1;
      const value = tryParseJson(text);
      if (value === undefined) continue;
      found += 1;
      const checked = checkValue(recordedExchangeSchema, value);
      if ('misfit' in checked)
        throw new UsageError(`${named}: line ${line} is not a recorded exchange: ${checked.misfit}`, {
          hint,
        });
      yield checked.data;
    }
  } catch (cause) {
    throw cause instanceof UsageError
      ? cause
      : new UsageError(`${named}: ${describeFileError(cause)}`, { cause });
  }
  if (found === 0) throw new UsageError(`${named}: no recorded exchanges`, { hint });
}
