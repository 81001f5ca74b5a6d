import { resolve } from 'node:path';
import { maxRateRequests } from '../../api/control/calls.js';
import { serverLogName } from '../../api/control/server-file.js';
import { stubGrammar } from '../../api/control/stub-text.js';
import { faultEffects, faultForm } from '../../api/faults/fault-grammar.js';
import { requireFaultRules } from '../../api/faults/fault-rule.js';
import { largestLimit } from '../../api/quota.js';
import { isQuotaKind, type QuotaKind, quotaKinds, resources } from '../../api/resources/index.js';
import { type OptionsOf, option, parsedOption, repeatable } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import { readInputFile } from '../../input/document-file.js';
import { dataDirectory } from '../../platform/platform-directories.js';
import type { ServerOptions } from '../../server/index.js';
import {
  explainDuration,
  explainSignedDuration,
  parseDuration,
  parseSignedDuration,
} from '../../text/duration.js';

export const dataOption = option(
  '--data <dir>',
  "the server's data directory; default on Linux: ~/.local/share/orgctl/serve",
);

export const databaseOption = option(
  '--database <url>',
  'shared PostgreSQL: postgres://user@host/database, password in PGPASSWORD; default ORGCTL_SERVE_DATABASE, but not with -- COMMAND',
);

export function portOption<const Flags extends string>(flags: Flags, description: string) {
  return parsedOption(flags, description, (text) => {
    if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
    return refuse(`${flags.split(' ', 1)[0]} ${text}`, 'not a port: 0 to 65535; 0 picks a free one');
  });
}

function refuse(option: string, why: string): never {
  throw new UsageError(`${option}: ${why}`);
}

/** Rules such as `connections=50`; the last one for a kind counts. @throws UsageError */
export function parseQuotaRules(rules: readonly string[], option = ''): Partial<Record<QuotaKind, number>> {
  const pairs = rules.map((rule) => {
    const [, kind = '', limit = ''] = /^([^=]*)=(\d+)$/.exec(rule) ?? [];
    if (isQuotaKind(kind) && Number(limit) <= largestLimit) return [kind, Number(limit)] as const;
    throw new UsageError(`${option}${rule}: not of the form kind=number`, {
      hint: `the kinds are ${quotaKinds.join(', ')}; the largest limit is ${largestLimit}`,
    });
  });
  return Object.fromEntries(pairs);
}

/** Parses text such as `100/1m`; `window` is in milliseconds. @throws UsageError */
export function parseRateLimit(text: string, named: string) {
  const [, digits, duration = ''] = /^(\d+)\/(.+)$/.exec(text) ?? [];
  const requests = Number(digits ?? 0);
  const window = parseDuration(duration);
  if (requests > 0 && requests <= maxRateRequests && window) return { requests, window };
  const what = `must be requests/duration: 1 to ${maxRateRequests} requests in at most 24 days`;
  throw new UsageError(`${named}: ${what}`, {
    hint: 'for example 100/1m: 100 requests per minute for each API key',
  });
}

const defaultQuotas = resources.map(({ kind, quota }) => `${kind}=${quota}`).join(', ');

export const serveOptions = [
  parsedOption('--host <host>', 'address to listen on; default 127.0.0.1', (host) => {
    if (host === '') throw new UsageError('--host must not be empty');
    return host;
  }),
  portOption('--port <port>', 'port to listen on; default 8443, or a free one with a command'),
  dataOption,
  databaseOption,
  option('--ephemeral', 'keep everything in memory; the default with a command', {
    conflicts: ['data', 'database'],
  }),
  option('--http', 'plain HTTP, on loopback only'),
  option('--tls-cert <file>', 'your own certificate, PEM'),
  option('--tls-key <file>', 'private key of that certificate, PEM'),
  repeatable('--tls-name <name>', 'another name or address for the generated certificate'),
  repeatable('--cors <origin>', 'let web pages of this origin send requests'),
  repeatable('--control-host <name>', 'let other machines use the control API, with this Host header'),
  portOption('--console-port <port>', 'port of the management console; default 8444, or a free one'),
  option('--no-console', 'no management console; the default with a command', {
    conflicts: ['consolePort'],
  }),
  option('--bootstrap-key-id <id>', 'ID of the first API key; its secret: ORGCTL_SERVE_SECRET, or generated'),
  repeatable('--quota <kind=n>', `quota limit of a kind; default ${defaultQuotas}`),
  option('--detach', `move to the background once ready; logs to ${serverLogName}`, {
    conflicts: ['ephemeral', 'database'],
  }),
  option('--ready-file <path>', 'write the ready line to a file, which is removed when the server stops'),
  option('--show-secret', 'also show the secret of the first key'),
  option('--log <format>', 'text (default): refused requests; json: every request, one JSON line each', {
    choices: ['text', 'json'],
  }),
  option('--seed <file>', 'initial data of a server without data (docs/guides/local-service.md)'),
  parsedOption('--rate-limit <n/duration>', 'requests per API key and time window, such as 100/1m', (text) =>
    parseRateLimit(text, `--rate-limit ${text}`),
  ),
  parsedOption(
    '--clock-offset <duration>',
    "how far the server's clock is ahead; negative: behind",
    (text) => parseSignedDuration(text) ?? refuse('--clock-offset', explainSignedDuration(text)),
  ),
  parsedOption(
    '--max-skew <duration>',
    'how far a timestamp may be off; default 5m',
    (text) => (parseDuration(text) ?? refuse('--max-skew', explainDuration(text))) / 1000,
  ),
  repeatable('--fault <rule>', `make requests fail: '${faultForm}'; EFFECT is ${faultEffects}`),
  option('--dialect <name|file>', 'form of responses: reference (default), bare, cursor, camel or a file'),
  repeatable('--stub <stub>', `fixed response: ${stubGrammar}`),
  option('--replay <file>', 'answer GETs as recorded in a file that proxy --record wrote'),
  option('--no-profile', 'do not update the profile "local"; --ephemeral and -- COMMAND imply this', {
    conflicts: ['saveProfile'],
  }),
  option(
    '--save-profile <name>',
    'save address and key as this profile, not "local"; removed at the end if data is in memory',
  ),
] as const;

export type ServeFlags = OptionsOf<typeof serveOptions>;

/** @throws UsageError for an empty `--data`, as an unset variable leaves it */
export function chosenDataDirectory(data: string | undefined, { system, home }: Context): string {
  const { env, platform } = system;
  if (data === '') throw new UsageError('--data must not be empty');
  return data === undefined ? dataDirectory({ env, platform, homedir: home }) : resolve(system.cwd(), data);
}

const defaultPort = 8443;
const defaultConsolePort = 8444;

/** With a command, the defaults are data in memory, a free port and no console. @throws UsageError for a bad flag */
export async function serverOptions(
  flags: ServeFlags,
  hasCommand: boolean,
  context: Context,
): Promise<ServerOptions> {
  const inMemory = flags.ephemeral || (hasCommand && flags.data === undefined);
  const data = chosenDataDirectory(flags.data, context);
  const { host, http, rateLimit, clockOffset, maxSkew, fault: faults, console: hasConsole } = flags;
  if (faults !== undefined) requireFaultRules(faults);
  const consolePort = flags.consolePort ?? (hasCommand ? undefined : defaultConsolePort);
  return {
    ...(await readFiles(flags, context)),
    ...{ host, http, rateLimit, clockOffset, maxSkew, faults },
    port: flags.port ?? (hasCommand ? 0 : defaultPort),
    data: inMemory ? undefined : data,
    database: sharedDatabase(flags, context, hasCommand),
    tls: await readTls(flags, context),
    tlsNames: flags.tlsName,
    cors: flags.cors,
    controlHosts: flags.controlHost,
    console: hasConsole !== false && consolePort !== undefined && { port: consolePort },
    masterKey: context.system.env['ORGCTL_SERVE_MASTER_KEY'] || undefined,
  };
}

async function readFiles(flags: ServeFlags, context: Context) {
  const { dialect: name, seed, stub: texts = [], replay } = flags;
  const secret = context.system.env['ORGCTL_SERVE_SECRET'] || undefined;
  const quotas = parseQuotaRules(flags.quota ?? [], '--quota ');
  const first = { bootstrap: { keyId: flags.bootstrapKeyId, secret }, quotas };
  if (name === undefined && seed === undefined && texts.length === 0 && replay === undefined) return first;
  const { readDialect, readReplayFile, readSeedFile, readStubs } = await import('./input-files.js');
  const dialect = name === undefined ? undefined : await readDialect(name, context);
  const stubs = await readStubs(texts, context);
  const replayed = replay === undefined ? [] : await readReplayFile(replay, dialect, context);
  return {
    ...first,
    dialect,
    stubs: [...stubs, ...replayed],
    seed: seed === undefined ? undefined : await readSeedFile(seed, context),
  };
}

async function readTls({ tlsCert, tlsKey }: ServeFlags, { system }: Context): Promise<ServerOptions['tls']> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new UsageError('--tls-cert and --tls-key must be given together');
  const read = async (option: string, path: string) =>
    (await readInputFile(path, `${option} ${path}`, system.cwd())).toString();
  return { cert: await read('--tls-cert', tlsCert), key: await read('--tls-key', tlsKey) };
}

/** With a command, ORGCTL_SERVE_DATABASE is ignored: tests must not run against shared data. @throws UsageError */
export function sharedDatabase(
  { database, ephemeral }: Partial<ServeFlags>,
  { system }: Context,
  hasCommand = false,
): string | undefined {
  if (database === undefined)
    return ephemeral || hasCommand ? undefined : system.env['ORGCTL_SERVE_DATABASE'] || undefined;
  if (!/^postgres(?:ql)?:\/\//i.test(database)) {
    throw new UsageError('--database: not a PostgreSQL URL', {
      hint: 'for example --database postgres://user@host:5432/orgctl',
    });
  }
  const [, user = ''] = /^[^/]*\/\/([^/?#]*)@/.exec(database) ?? [];
  if (!user.includes(':') && !/[?&]password=/i.test(database)) return database;
  throw new UsageError('--database has a password in it, and every user of this machine can read arguments', {
    hint: 'leave the password out and set PGPASSWORD, or set ORGCTL_SERVE_DATABASE to the whole URL instead of --database',
  });
}
