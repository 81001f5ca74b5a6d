import { type StubInput, stubFileSchema } from '../api/control/control.js';
import { explainStub, splitStubText, stubGrammar } from '../api/control/stub-text.js';
import { checkValue } from '../api/schema/schema.js';
import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';
import { decodeText } from '../text/utf8.js';
import { readDocument, readInputFile } from './document-file.js';

/** Reads the files of stubs, which have the response's body, or everything except the request. @throws UsageError */
export function readStubs(texts: readonly string[], context: Context): Promise<(string | StubInput)[]> {
  return Promise.all(texts.map((text) => readStub(text, context)));
}

async function readStub(text: string, context: Context): Promise<string | StubInput> {
  const stub = `stub ${JSON.stringify(text)}`;
  const { request, status, rest = '' } = splitStubText(text) ?? {};
  if (request === undefined) throw new UsageError(`${stub}: ${explainStub(text)}`, { hint: stubGrammar });
  if (!rest.startsWith('@')) return text;
  const path = rest.slice(1);
  const body = decodeText(await readInputFile(path, stub, context.system.cwd(), 1024 * 1024), path);
  if (status !== undefined) return { request, status, body };
  const checked = checkValue(stubFileSchema, (await readDocument(body, path, 'a stub', context)).value);
  if ('misfit' in checked) throw new UsageError(`${stub}: ${checked.misfit}`, { hint: stubGrammar });
  return { request, ...checked.data };
}
