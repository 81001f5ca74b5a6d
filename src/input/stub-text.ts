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
export async function readStubs(
  texts: readonly string[],
  context: Pick<Context, 'system' | 'whileBusy'>,
): Promise<(string | StubInput)[]> {
  const stubs: (string | StubInput)[] = [];
  for (const text of texts) stubs.push(await readStub(text, context));
  return stubs;
}

async function readStub(
  text: string,
  context: Pick<Context, 'system' | 'whileBusy'>,
): Promise<string | StubInput> {
  const { request, status, rest = '' } = splitStubText(text) ?? {};
  if (request === undefined)
    throw new UsageError(`stub ${JSON.stringify(text)}: ${explainStub(text)}`, { hint: stubGrammar });
  if (!rest.startsWith('@')) return text;
  const path = rest.slice(1);
  const body = await readFileText(path, text, context);
  if (status !== undefined) return { request, status, body };
  const file = {
    path,
    what: 'a stub',
    unusable: (problems: readonly string[], cause?: unknown) =>
      new UsageError(`stub ${JSON.stringify(text)}: invalid file`, {
        problems,
        hint: stubGrammar,
        cause,
      }),
  };
  const { value } = await readDocument(body, file, context);
  const checked = stubFileSchema.safeParse(value);
  if (!checked.success) throw file.unusable([`${path}: ${describeIssues(checked.error)}`]);
  return { request, ...checked.data };
}

async function readFileText(
  path: string,
  text: string,
  { system }: Pick<Context, 'system'>,
): Promise<string> {
  try {
    return decodeText(await readInputFile(resolve(system.cwd(), path), stubFileBytes), path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`stub ${JSON.stringify(text)}: ${describeFileError(error)}`, { cause: error });
  }
}
