import { resolve } from 'node:path';
import type { StubInput } from '../../api/control/control.js';
import type { RecordedExchange } from '../../api/control/recorded-exchange.js';
import type { DialectInput } from '../../api/dialect/dialect-input.js';
import { presets } from '../../api/dialect/presets.js';
import { placeMessage } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { describeFileError, UsageError } from '../../errors/errors.js';
import { type NamedFile, readDocument } from '../../input/document-file.js';
import { maxProblems } from '../../input/file-problems.js';
import { readInputFile } from '../../input/input-file.js';
import { readRecordedFile } from '../../input/recorded-file.js';
import { mask } from '../../redaction/redact.js';
import { checkDialect, isPreset } from '../../server/dialect/check-dialect.js';
import type { ServerOptions } from '../../server/index.js';
import { decodeText } from '../../text/utf8.js';

const dialectFileBytes = 1024 * 1024;

/** The dialect that `--dialect` names: a preset, or a JSON or YAML file. @throws UsageError for an unusable file */
export async function readDialect(name: string, context: Context): Promise<ServerOptions['dialect']> {
  if (isPreset(name)) return name;
  const file: NamedFile = {
    path: name,
    what: 'a dialect',
    unusable: (problems, cause) =>
      new UsageError(`--dialect ${name}: invalid dialect`, {
        problems,
        hint: 'docs/reference/dialects.md describes dialects',
        cause,
      }),
  };
  const bytes = await readInputFile(resolve(context.system.cwd(), name), dialectFileBytes).catch(
    (error: unknown) => {
      throw new UsageError(`--dialect ${name}: ${describeFileError(error)}`, {
        hint: `give a file, or one of ${Object.keys(presets).join(', ')}`,
        cause: error,
      });
    },
  );
  const { value, lineAt } = await readDocument(decodeText(bytes, `--dialect ${name}`), file, context);
  const checked = checkDialect(value);
  if ('dialect' in checked) return checked.dialect;
  const problems = checked.problems.slice(0, maxProblems);
  throw file.unusable(problems.map((problem) => `${name}:${lineAt(problem.path)}: ${placeMessage(problem)}`));
}

/** Limit on recorded responses; each becomes a stub. */
const maxReplayed = 100;

/** Headers that the server sets itself, or that belong to the recorded connection. */
const ownHeaders =
  /^(?:connection|content-(?:length|encoding)|date|keep-alive|server|te|trailer|transfer-encoding|upgrade|via|x-quota-(?:limit|used|remaining))$/i;

/**
 * The last complete response to each recorded GET, as stubs. Stubs name paths without the dialect's base path.
 * @throws UsageError for an unusable file
 */
export async function readReplayFile(
  path: string,
  dialect: ServerOptions['dialect'],
  { system, printer }: Context,
): Promise<StubInput[]> {
  const warn = async (message: string) => (await printer()).warn(message);
  const forms: DialectInput | undefined = typeof dialect === 'string' ? presets[dialect] : dialect;
  const responses = new Map<string, StubInput>();
  for await (const { exchange } of readRecordedFile('--replay', path, system.cwd(), warn)) {
    const stub = toStub(exchange, forms?.basePath ?? '');
    if (stub !== undefined) responses.set(stub.request, stub);
  }
  if (responses.size <= maxReplayed) return [...responses.values()];
  throw new UsageError(
    `--replay ${path}: it has responses to ${responses.size} GETs, more than the limit of ${maxReplayed}`,
    { hint: 'keep only the lines that you need' },
  );
}

function toStub(
  { method, target, status, headers, body }: RecordedExchange,
  basePath: string,
): StubInput | undefined {
  if (method !== 'GET' || status < 200 || status > 599 || target.includes(mask)) return undefined;
  if (body !== null && !('text' in body)) return undefined;
  const kept = headers.filter(([name, value]) => !ownHeaders.test(name) && !value.includes(mask));
  const local = target.startsWith(`${basePath}/`) ? target.slice(basePath.length) : target;
  const [path = '', query = ''] = local.split(/\?(.*)/s, 2);
  return {
    // A target that ends in `?` matches only requests without a query.
    request: `GET ${path.replaceAll('*', '%2A')}?${query}`,
    status,
    headers: Object.fromEntries(kept),
    ...(body !== null && { body: body.text }),
  };
}
