import { resolve } from 'node:path';
import type { StubInput } from '../../api/control/control.js';
import { type RecordedExchange, recordedExchangeSchema } from '../../api/control/recorded-exchange.js';
import { describeIssues } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { describeFileError, UsageError } from '../../errors/errors.js';
import { decodeText } from '../../input/entry-file.js';
import { readInputFile } from '../../input/input-file.js';
import { mask } from '../../redaction/redact.js';

/** Bytes of the largest file: as much as a proxy records. */
const replayFileBytes = 64 * 1024 * 1024;

/** The most answers that a server gives by hand. */
const mostReplayed = 100;

/** What the server says itself, and what is true of the recorded connection alone. */
const ownHeaders =
  /^(?:connection|content-(?:length|encoding)|date|keep-alive|server|te|trailer|transfer-encoding|upgrade|via|x-quota-(?:limit|used|remaining))$/i;

/**
 * The recorded answers to GETs, the last one for each target. One whose target or body was not recorded whole is left out.
 * @throws UsageError for a file that cannot be read or used
 */
export async function readReplayFile(
  path: string,
  { system }: Pick<Context, 'system'>,
): Promise<StubInput[]> {
  const text = await readText(resolve(system.cwd(), path), path);
  const lines = text.split('\n');
  // A proxy that was killed may have left half a line.
  lines.pop();
  const answers = new Map<string, StubInput>();
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const stub = toStub(parseLine(line, path, at + 1));
    if (stub !== undefined) answers.set(stub.request, stub);
  }
  if (answers.size <= mostReplayed) return [...answers.values()];
  throw new UsageError(
    `--replay ${path}: it has answers to ${answers.size} GETs, and ${mostReplayed} are the most`,
    {
      hint: 'leave only the lines in it that are needed',
    },
  );
}

async function readText(file: string, path: string): Promise<string> {
  try {
    return decodeText(await readInputFile(file, replayFileBytes), path);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`--replay ${path}: ${describeFileError(cause)}`, { cause });
  }
}

function parseLine(line: string, path: string, number: number): RecordedExchange {
  const { data, error } = recordedExchangeSchema.safeParse(tryParse(line));
  if (error === undefined) return data;
  throw new UsageError(`--replay ${path}: line ${number} is not a recorded exchange`, {
    problems: [describeIssues(error)],
    hint: 'orgctl proxy --record writes such files',
  });
}

function tryParse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function toStub({ method, target, status, headers, body }: RecordedExchange): StubInput | undefined {
  if (method !== 'GET' || status < 200 || status > 599 || target.includes(mask)) return undefined;
  if (body !== null && !('text' in body)) return undefined;
  const kept = headers.filter(([name, value]) => !ownHeaders.test(name) && !value.includes(mask));
  return {
    // An empty query is a query, so that no other one is answered.
    request: `GET ${target.includes('?') ? target : `${target}?`}`,
    status,
    headers: Object.fromEntries(kept),
    ...(body !== null && { body: body.text }),
  };
}
