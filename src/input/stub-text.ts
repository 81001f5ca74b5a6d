import { resolve } from 'node:path';
import { type StubInput, stubFileSchema } from '../api/control/control.js';
import { explainStub, splitStubText, stubGrammar } from '../api/control/stub-text.js';
import { describeIssues } from '../api/schema/schema.js';
import type { Context } from '../cli/context.js';
import { describeFileError, UsageError } from '../errors/errors.js';
import { decodeText } from '../text/utf8.js';
import { readDocument } from './document-file.js';
import { readInputFile } from './input-file.js';

const stubFileBytes = 1024 * 1024;

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
  const bytes = await readInputFile(resolve(context.system.cwd(), path), stubFileBytes).catch(
    (cause: unknown) => {
      throw new UsageError(`${stub}: ${describeFileError(cause)}`, { cause });
    },
  );
  const body = decodeText(bytes, path);
  if (status !== undefined) return { request, status, body };
  const unusable = (problems: readonly string[], cause?: unknown) =>
    new UsageError(`${stub}: invalid file`, { problems, hint: stubGrammar, cause });
  const { value } = await readDocument(body, { path, what: 'a stub', unusable }, context);
  const checked = stubFileSchema.safeParse(value);
  if (!checked.success) throw unusable([`${path}: ${describeIssues(checked.error)}`]);
  return { request, ...checked.data };
}
