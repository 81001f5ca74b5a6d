import type { StubInput } from '../../api/control/control.js';
import type { RecordedExchange } from '../../api/control/recorded-exchange.js';
import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import { readRecordedFile } from '../../input/recorded-file.js';
import { mask } from '../../redaction/redact.js';

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
  const answers = new Map<string, StubInput>();
  for await (const { exchange } of readRecordedFile('--replay', path, system.cwd())) {
    const stub = toStub(exchange);
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
