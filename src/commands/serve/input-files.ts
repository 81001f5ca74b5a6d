import { randomUUID } from 'node:crypto';
import type { StubInput } from '../../api/control/control.js';
import type { RecordedExchange } from '../../api/control/recorded-exchange.js';
import type { DialectInput } from '../../api/dialect/dialect-input.js';
import { presets } from '../../api/dialect/presets.js';
import { connections } from '../../api/resources/connection.js';
import { isResource } from '../../api/resources/resource.js';
import { placeMessage } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import { readDialectFile } from '../../input/dialect-file.js';
import { maxProblems, readDocument, readInputFile } from '../../input/document-file.js';
import { completeSettings } from '../../input/forms/connection-settings.js';
import { toSeedForm } from '../../input/forms/file-forms.js';
import type { SecretReference } from '../../input/forms/secret-reference.js';
import { readRecordedFile } from '../../input/stub-files.js';
import { checkDecodedSecret } from '../../profiles/settings/secret.js';
import { mask } from '../../redaction/redact.js';
import { checkDialect } from '../../server/dialect/open-dialect.js';
import type { Seed, ServerOptions } from '../../server/index.js';
import { countNoun } from '../../text/count-noun.js';
import { decodeText } from '../../text/utf8.js';

/** The dialect that `--dialect` names, which this server must be able to serve. @throws UsageError */
export function readDialect(name: string, context: Context): Promise<ServerOptions['dialect']> {
  return readDialectFile('--dialect', name, checkDialect, context);
}

/** Headers that the server sets itself, or that belong to the recorded connection. */
const ownHeaders =
  /^(?:connection|content-(?:length|encoding)|date|keep-alive|server|te|trailer|transfer-encoding|upgrade|via|x-quota-(?:limit|used|remaining))$/i;

/** The last complete response to each recorded GET, as stubs. Stubs name paths without the dialect's base path. */
export async function readReplayFile(
  path: string,
  dialect: ServerOptions['dialect'],
  { system }: Context,
): Promise<StubInput[]> {
  const forms: DialectInput | undefined = typeof dialect === 'string' ? presets[dialect] : dialect;
  const responses = new Map<string, StubInput>();
  for (const exchange of await readRecordedFile(`--replay ${path}`, path, system.cwd())) {
    const stub = toStub(exchange, forms?.basePath ?? '');
    if (stub !== undefined) responses.set(stub.request, stub);
  }
  return [...responses.values()];
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
export async function readSeedFile(path: string, context: Context): Promise<Seed> {
  const named = `--seed ${path}`;
  const text = decodeText(await readInputFile(path, named, context.system.cwd()), named);
  const document = await readDocument(text, path, 'a seed', context);
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
  const checked = await context.whileBusy(() => checkSeed(completed));
  if ('problems' in checked) {
    const placed = checked.problems.slice(0, maxProblems).map((problem) => {
      return { line: document.placeAt(toSource(problem.path)).line, text: placeMessage(problem) };
    });
    throw new UsageError(`${named}: invalid seed`, {
      problems: placed
        .toSorted((one, other) => one.line - other.line)
        .map(({ line, text }) => `${path}:${line}: ${text}`),
      hint: 'docs/guides/local-service.md describes seeds',
    });
  }
  if (random.length > 0) {
    const unread = [...new Set(random)].join(', ');
    await context.note(`${countNoun(random.length, 'secret')} of the seed made up, for lack of: ${unread}`);
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
