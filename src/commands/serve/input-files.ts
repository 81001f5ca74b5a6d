import { randomUUID } from 'node:crypto';
import { identifierSchema, type StubInput, stubFileSchema } from '../../api/control/chosen-values.js';
import { type RecordedExchange, recordedExchangeSchema } from '../../api/control/recorded-exchange.js';
import { splitStubText, stubGrammar } from '../../api/control/stub-text.js';
import { headerNamePattern } from '../../api/dialect/dialect.js';
import type { DialectInput } from '../../api/dialect/dialect-input.js';
import { presets } from '../../api/dialect/presets.js';
import { apiKeys } from '../../api/resources/api-key.js';
import { connections } from '../../api/resources/connection.js';
import { resources } from '../../api/resources/index.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import { checkValue, placeMessage } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import { readDialectFile } from '../../input/dialect-file.js';
import { maxProblems, readDocument, readInputFile } from '../../input/document-file.js';
import { completeSettings, type SecretReference } from '../../input/forms/secret-reference.js';
import { checkDecodedSecret } from '../../profiles/settings/secret.js';
import { mask } from '../../redaction/redact.js';
import { checkDialect } from '../../server/dialect/open-dialect.js';
import { isServiceTarget } from '../../server/http/url-space.js';
import type { Seed, ServerOptions } from '../../server/index.js';
import { countNoun } from '../../text/count-noun.js';
import { tryParseJson } from '../../text/exact-json.js';
import { decodeText } from '../../text/utf8.js';

/** The dialect that `--dialect` names, which this server must be able to serve. @throws UsageError */
export function readDialect(name: string, context: Context): Promise<ServerOptions['dialect']> {
  return readDialectFile('--dialect', name, checkDialect, context);
}

/** Headers that the server sets itself, or that belong to the recorded connection. */
const ownHeaders =
  /^(?:connection|content-(?:length|encoding)|date|keep-alive|server|te|trailer|transfer-encoding|upgrade|via|x-quota-(?:limit|used|remaining))$/i;

/**
 * The last complete response to each recorded GET, as stubs. Stubs name paths without the dialect's base path.
 * Skips cut lines, such as the last one of a killed `proxy --record`, and targets and headers that no stub can have.
 * @throws UsageError
 */
export async function readReplayFile(
  path: string,
  dialect: ServerOptions['dialect'],
  { system }: Context,
): Promise<StubInput[]> {
  const named = `--replay ${path}`;
  const forms: DialectInput | undefined = typeof dialect === 'string' ? presets[dialect] : dialect;
  const lines = decodeText(await readInputFile(path, named, system.cwd()), named).split('\n');
  const exchanges = lines.flatMap((line, index) => {
    const value = tryParseJson(line);
    if (value === undefined) return [];
    const checked = checkValue(recordedExchangeSchema, value);
    if ('data' in checked) return [checked.data];
    throw new UsageError(`${named}: line ${index + 1} is not a recorded exchange: ${checked.misfit}`);
  });
  if (exchanges.length === 0)
    throw new UsageError(`${named}: no recorded exchanges`, {
      hint: 'orgctl proxy --record writes such files',
    });
  const stubs = exchanges.flatMap((exchange) => toStub(exchange, forms?.basePath ?? '') ?? []);
  return [...new Map(stubs.map((stub) => [stub.request, stub])).values()];
}

function toStub(
  { method, target, status, headers, body }: RecordedExchange,
  basePath: string,
): StubInput | undefined {
  if (method !== 'GET' || status < 200 || status > 599 || target.includes(mask)) return undefined;
  if (body !== null && !('text' in body)) return undefined;
  const isKept = (name: string) => headerNamePattern.test(name) && !ownHeaders.test(name);
  const kept = headers.filter(([name, value]) => isKept(name) && !value.includes(mask));
  const local = target.startsWith(`${basePath}/`) ? target.slice(basePath.length) : target;
  const [path = '', query = ''] = local.split(/\?(.*)/s, 2);
  if (!/^\/[^#]*$/.test(local) || !isServiceTarget(path)) return undefined;
  return {
    // A target that ends in `?` matches only requests without a query.
    request: `GET ${path.replaceAll('*', '%2A')}?${query}`,
    status,
    headers: Object.fromEntries(kept),
    ...(body !== null && { body: body.text }),
  };
}

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
  const checked = checkValue(stubFileSchema, (await readDocument(body, path, 'a stub')).value);
  if ('misfit' in checked) throw new UsageError(`${stub}: ${checked.misfit}`, { hint: stubGrammar });
  return { request, ...checked.data };
}

/** Reads a seed. @throws UsageError naming file and line, but no values */
export async function readSeedFile(path: string, context: Context): Promise<Seed> {
  const named = `--seed ${path}`;
  const text = decodeText(await readInputFile(path, named, context.system.cwd()), named);
  const document = await readDocument(text, path, 'a seed');
  const { checkSeed } = await import('../../server/seed/schema.js');
  const { organizationName } = await import('../../server/options.js');
  const { value, toSource } = toSeedForm(document.value, organizationName);
  const random: string[] = [];
  const completed = completeConnections(value, (reference) => {
    const variable = 'env' in reference ? reference.env : undefined;
    const secret = (variable && context.system.env[variable]) || '';
    if (secret === '') {
      random.push(variable ?? 'a file or command');
      return { secret: randomUUID() };
    }
    return {
      secret: checkDecodedSecret(secret, (what) => new UsageError(`the variable ${variable} ${what}`)),
    };
  });
  const checked = checkSeed(completed);
  if ('problems' in checked) {
    const problems = checked.problems
      .slice(0, maxProblems)
      .map((problem) => `${path}:${document.placeAt(toSource(problem.path)).line}: ${placeMessage(problem)}`);
    const hint = 'docs/guides/local-service.md describes seeds';
    throw new UsageError(`${named}: invalid seed`, { problems, hint });
  }
  if (random.length > 0) {
    const unread = [...new Set(random)].join(', ');
    await context.note(`${countNoun(random.length, 'random secret')} in the seed, in place of: ${unread}`);
  }
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

type Path = readonly PropertyKey[];

interface SeedForm {
  readonly value: unknown;
  /** Converts a path in the seed to one in the file. */
  readonly toSource: (path: Path) => Path;
}

/** An organization file or a list of connections as a seed. @param name the organization's name */
function toSeedForm(value: unknown, name: string): SeedForm {
  if (isConnectionList(value)) {
    const organization = {
      name,
      [connections.kind]: value.map((entry) => toSeedEntry(entry, connections.kind)),
    };
    return { value: { organizations: [organization] }, toSource: ([, , , ...rest]) => rest };
  }
  if (!isResource(value) || !Object.hasOwn(value, 'version')) return { value, toSource: (path) => path };
  const { $schema: _, version: __, ...lists } = value;
  const seeded = Object.entries(lists).map(([kind, list]) =>
    kind === apiKeys.kind
      ? ['keys', mapEntries(list, toSeedKey)]
      : [kind, mapEntries(list, (entry) => toSeedEntry(entry, kind))],
  );
  return {
    value: { organizations: [{ name, ...Object.fromEntries(seeded) }] },
    toSource: ([, , kind, ...rest]) =>
      kind === undefined ? [] : [kind === 'keys' ? apiKeys.kind : kind, ...rest],
  };
}

function isConnectionList(value: unknown): value is readonly Resource[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((entry) => isResource(entry) && isResource(entry['config']))
  );
}

function mapEntries(list: unknown, change: (entry: Resource) => Resource): unknown {
  return Array.isArray(list) ? list.map((entry) => (isResource(entry) ? change(entry) : entry)) : list;
}

/** Keeps the ID that pins the entry, unless the store cannot have it: then the name alone identifies the entry. */
function toSeedEntry({ id, renamed_from: _, ...entry }: Resource, kind: string): Resource {
  const resource = resources.find((one) => one.kind === kind);
  const isUsable = resource !== undefined && identifierSchema(resource.idPrefix).safeParse(id).success;
  return isUsable ? { id, ...entry } : entry;
}

/** A key without a pinned ID gets a new one, and a new secret. */
function toSeedKey({ secret_to: _, ...entry }: Resource): Resource {
  return { id: `${apiKeys.idPrefix}_${randomUUID()}`, ...toSeedEntry(entry, apiKeys.kind) };
}
