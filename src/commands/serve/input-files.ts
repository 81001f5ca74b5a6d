import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { StubInput } from '../../api/control/control.js';
import type { RecordedExchange } from '../../api/control/recorded-exchange.js';
import type { DialectInput } from '../../api/dialect/dialect-input.js';
import { presets } from '../../api/dialect/presets.js';
import { connections } from '../../api/resources/connection.js';
import { isResource } from '../../api/resources/resource.js';
import { placeMessage } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { describeFileError, UsageError } from '../../errors/errors.js';
import { readDialectFile } from '../../input/dialect-file.js';
import { maxProblems, readDocument } from '../../input/document-file.js';
import { completeSettings } from '../../input/forms/connection-settings.js';
import { toSeedForm } from '../../input/forms/file-forms.js';
import type { SecretReference } from '../../input/forms/secret-reference.js';
import { readInputFile } from '../../input/input-file.js';
import { readRecordedFile } from '../../input/recorded-file.js';
import { checkDecodedSecret } from '../../profiles/settings/secret-text.js';
import { mask } from '../../redaction/redact.js';
import { checkDialect } from '../../server/dialect/open-dialect.js';
import type { Seed, ServerOptions } from '../../server/index.js';
import { countNoun } from '../../text/count-noun.js';
import { decodeText } from '../../text/utf8.js';

/** The dialect that `--dialect` names, which this server must be able to serve. @throws UsageError */
export function readDialect(name: string, context: Context): Promise<ServerOptions['dialect']> {
  return readDialectFile('--dialect', name, checkDialect, context);
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

/** Reads a seed. @throws UsageError naming file and line, but no values */
export async function readSeedFile(
  path: string,
  context: Pick<Context, 'system' | 'whileBusy' | 'note'>,
): Promise<Seed> {
  const unusable = (problems: readonly string[], cause?: unknown) =>
    new UsageError(`--seed ${path}: invalid seed`, {
      problems,
      hint: 'docs/guides/local-service.md describes seeds',
      cause,
    });
  const bytes = await readInputFile(resolve(context.system.cwd(), path)).catch((error: unknown) => {
    throw new UsageError(`--seed ${path}: ${describeFileError(error)}`, { cause: error });
  });
  const text = decodeText(bytes, `--seed ${path}`);
  const document = await readDocument(text, { path, what: 'a seed', unusable }, context);
  const { checkSeed } = await import('../../server/seed/schema.js');
  const { organizationName } = await import('../../server/options/first-organization.js');
  const { value, toSource, droppedIds } = toSeedForm(document.value, organizationName);
  const random: SecretReference[] = [];
  const completed = completeConnections(value, (reference) => {
    const secret = 'env' in reference ? (context.system.env[reference.env] ?? '') : '';
    if (secret === '') {
      random.push(reference);
      return { secret: randomUUID() };
    }
    const refuse = (what: string) =>
      unusable([`the variable ${'env' in reference ? reference.env : ''} ${what}`]);
    return { secret: checkDecodedSecret(secret, refuse) };
  });
  const checked = await context.whileBusy(() => checkSeed(completed));
  if ('problems' in checked) {
    const placed = checked.problems.slice(0, maxProblems).map((problem) => {
      const at = problem.key === undefined ? problem.path : [...problem.path, problem.key];
      return { line: document.lineAt(toSource(at)), text: placeMessage(problem) };
    });
    const sorted = placed.toSorted((one, other) => one.line - other.line);
    throw unusable(sorted.map(({ line, text }) => `${path}:${line}: ${text}`));
  }
  for (const note of describeChanges(random, droppedIds)) await context.note(note);
  return checked.seed;
}

/** Fills in secrets. Missing ones become random: clients cannot read them anyway. */
function completeConnections(
  seed: unknown,
  findSecret: (reference: SecretReference) => { readonly secret: string },
): unknown {
  const complete = (connection: unknown) => {
    if (!isResource(connection) || !isResource(connection['config'])) return connection;
    const { config, problems } = completeSettings(connection['type'], connection['config'], findSecret);
    // Unchanged, so that `checkSeed` refuses the settings as written.
    return problems.length > 0 ? connection : { ...connection, config };
  };
  if (!isResource(seed) || !Array.isArray(seed['organizations'])) return seed;
  const organizations = seed['organizations'].map((organization: unknown) => {
    if (!isResource(organization)) return organization;
    const { [connections.kind]: list } = organization;
    return Array.isArray(list) ? { ...organization, [connections.kind]: list.map(complete) } : organization;
  });
  return { ...seed, organizations };
}

function describeChanges(random: readonly SecretReference[], droppedIds: readonly string[]) {
  const unset = random.flatMap((reference) => ('env' in reference ? [reference.env] : []));
  const others = random.length - unset.length;
  return [
    unset.length > 0 && isRandom(unset.length, `the environment lacks ${listFirst([...new Set(unset)])}`),
    others > 0 && isRandom(others, 'serve does not read secrets from files or commands'),
    droppedIds.length > 0 && `this server replaces IDs that it cannot store: ${listFirst(droppedIds)}`,
  ].filter((text) => text !== false);
}

function isRandom(count: number, why: string): string {
  const verb = count === 1 ? 'is' : 'are';
  return `${countNoun(count, 'secret')} of the seed ${verb} random, because ${why}`;
}

function listFirst(texts: readonly string[]): string {
  const more = texts.length > maxNamed ? ` and ${texts.length - maxNamed} more` : '';
  return `${texts.slice(0, maxNamed).join(', ')}${more}`;
}

const maxNamed = 5;
