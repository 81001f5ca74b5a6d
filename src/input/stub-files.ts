import { type StubInput, stubFileSchema } from '../api/control/control.js';
import { type RecordedExchange, recordedExchangeSchema } from '../api/control/recorded-exchange.js';
import { splitStubText, stubGrammar } from '../api/control/stub-text.js';
import { checkValue } from '../api/schema/schema.js';
import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';
import { tryParseJson } from '../text/exact-json.js';
import { decodeText } from '../text/utf8.js';
import { readDocument, readInputFile } from './document-file.js';

/** A stub's file has the response's body, or everything except the request. @throws UsageError */
export function readStubs(texts: readonly string[], context: Context): Promise<(string | StubInput)[]> {
  return Promise.all(texts.map((text) => readStub(text, context)));
}

async function readStub(text: string, context: Context): Promise<string | StubInput> {
  const stub = `stub ${JSON.stringify(text)}`;
  const { request, status, rest = '' } = splitStubText(text) ?? {};
  if (request === undefined) throw new UsageError(`${stub}: not a stub`, { hint: stubGrammar });
  if (!rest.startsWith('@')) return text;
  const path = rest.slice(1);
  const body = decodeText(await readInputFile(path, stub, context.system.cwd(), 1024 * 1024), path);
  if (status !== undefined) return { request, status, body };
  const checked = checkValue(stubFileSchema, (await readDocument(body, path, 'a stub', context)).value);
  if ('misfit' in checked) throw new UsageError(`${stub}: ${checked.misfit}`, { hint: stubGrammar });
  return { request, ...checked.data };
}

/** Skips lines that are cut, as a killed `proxy --record` leaves the last one. @throws UsageError */
export async function readRecordedFile(
  named: string,
  path: string,
  directory: string,
): Promise<readonly RecordedExchange[]> {
  const lines = decodeText(await readInputFile(path, named, directory), named).split('\n');
  const exchanges = lines.flatMap((line, index) => {
    const value = tryParseJson(line);
    if (value === undefined) return [];
    const checked = checkValue(recordedExchangeSchema, value);
    if ('data' in checked) return [checked.data];
    throw new UsageError(`${named}: line ${index + 1} is not a recorded exchange: ${checked.misfit}`);
  });
  if (exchanges.length > 0) return exchanges;
  throw new UsageError(`${named}: no recorded exchanges`, {
    hint: 'orgctl proxy --record writes such files',
  });
}
