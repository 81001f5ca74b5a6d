import { resolve } from 'node:path';
import { splitStubText } from '../../api/control/stub-text.js';
import { requireFaultRules } from '../../api/faults/fault-rule.js';
import type { Context } from '../../cli/context.js';
import { describeFileError, UsageError } from '../../errors/errors.js';
import { chosenDataDirectory } from '../../input/data-flag.js';
import { parseQuotaRules } from '../../input/quota-rules.js';
import { parseRateLimit } from '../../input/rate-limit.js';
import { readRegularFile } from '../../platform/regular-file.js';
import type { FirstOrganizationOptions, Seed, ServerOptions } from '../../server/index.js';
import {
  explainDuration,
  explainSignedDuration,
  parseDuration,
  parseSignedDuration,
} from '../../text/duration.js';
import { sharedDatabase } from './database.js';
import { namingFlags, type ServeFlags } from './flags.js';

const defaultPort = 8443;
const defaultConsolePort = 8444;

/** With a command, the defaults are data in memory, a free port and no console. @throws UsageError for a bad flag */
export async function serverOptions(
  flags: ServeFlags,
  command: readonly string[],
  context: Pick<Context, 'system' | 'home' | 'whileBusy' | 'note' | 'printer'>,
): Promise<ServerOptions> {
  const { env } = context.system;
  if (flags.ephemeral && flags.data !== undefined) {
    throw new UsageError('--ephemeral and --data cannot be combined');
  }
  const inMemory = flags.ephemeral || (command.length > 0 && flags.data === undefined);
  const data = chosenDataDirectory(flags.data, context);
  const dialect = await readDialectFlag(flags.dialect, context);
  const first = {
    bootstrap: { keyId: flags.bootstrapKeyId, secret: env['ORGCTL_SERVE_SECRET'] || undefined },
    quotas: parseQuotaRules(flags.quota ?? [], (rule) => `--quota ${rule}`),
  };
  return {
    ...first,
    ...(await readTestControls(flags)),
    host: flags.host,
    port: parsePortFlag('--port', flags.port) ?? (command.length > 0 ? 0 : defaultPort),
    data: inMemory ? undefined : data,
    database: sharedDatabase(flags, command, context.system),
    http: flags.http,
    tls: readTls(flags, context),
    tlsNames: flags.tlsName,
    controlHosts: flags.controlHost,
    console: readConsole(flags, command),
    dialect,
    stubs: await readStubFlags(flags, dialect, context),
    seed: await readSeed(flags.seed, first, context),
    masterKey: env['ORGCTL_SERVE_MASTER_KEY'] || undefined,
  };
}

async function readSeed(
  path: string | undefined,
  first: FirstOrganizationOptions,
  context: Pick<Context, 'system' | 'whileBusy' | 'note'>,
): Promise<Seed | undefined> {
  if (path === undefined) return undefined;
  const { readSeedFile } = await import('./seed-file.js');
  return namingFlags(() => readSeedFile(path, first, context));
}

async function readDialectFlag(
  name: string | undefined,
  context: Pick<Context, 'system' | 'whileBusy'>,
): Promise<ServerOptions['dialect']> {
  if (name === undefined) return undefined;
  const { readDialect } = await import('./dialect-file.js');
  return readDialect(name, context);
}

/** Explicit stubs override recorded responses to the same request. */
async function readStubFlags(
  { stub: texts = [], replay }: ServeFlags,
  dialect: ServerOptions['dialect'],
  context: Pick<Context, 'system' | 'whileBusy' | 'printer'>,
): Promise<ServerOptions['stubs']> {
  if (texts.length === 0 && replay === undefined) return undefined;
  const { readStubs } = await import('../../input/stub-text.js');
  const stubs = await readStubs(texts, context);
  if (replay === undefined) return stubs;
  const { readReplayFile } = await import('./replay-file.js');
  const given = new Set(
    stubs.map((stub) => (typeof stub === 'string' ? splitStubText(stub)?.request : stub.request)),
  );
  const replayed = await readReplayFile(replay, dialect, context);
  return [...stubs, ...replayed.filter(({ request }) => !given.has(request))];
}

function readConsole(
  { consolePort, console: isWanted }: ServeFlags,
  command: readonly string[],
): ServerOptions['console'] {
  const port = parsePortFlag('--console-port', consolePort);
  if (port === undefined) return isWanted && command.length === 0 && { port: defaultConsolePort };
  if (isWanted) return { port };
  throw new UsageError('--console-port and --no-console cannot be combined');
}

function parsePortFlag(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`${flag} ${text}: not a port`, { hint: '0 to 65535; 0 picks a free one' });
}

function readTls({ tlsCert, tlsKey }: ServeFlags, context: Pick<Context, 'system'>): ServerOptions['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new UsageError('--tls-cert and --tls-key must be given together');
  }
  return {
    cert: readPemFlag('--tls-cert', tlsCert, context),
    key: readPemFlag('--tls-key', tlsKey, context),
  };
}

function readPemFlag(flag: string, path: string, { system }: Pick<Context, 'system'>): string {
  try {
    return readRegularFile(resolve(system.cwd(), path)).toString();
  } catch (error) {
    throw new UsageError(`${flag} ${path}: ${describeFileError(error)}`, { cause: error });
  }
}

async function readTestControls({
  rateLimit,
  clockOffset,
  maxSkew,
  fault,
}: ServeFlags): Promise<Pick<ServerOptions, 'rateLimit' | 'clockOffset' | 'maxSkew' | 'faults'>> {
  return {
    rateLimit: rateLimit === undefined ? undefined : parseRateLimit(rateLimit, `--rate-limit ${rateLimit}`),
    clockOffset: clockOffset === undefined ? undefined : parseOffset(clockOffset),
    maxSkew: maxSkew === undefined ? undefined : parseSkew(maxSkew) / 1000,
    faults: fault === undefined ? undefined : await readFaults(fault),
  };
}

function readFaults(rules: readonly string[]): Promise<ServerOptions['faults']> {
  return namingFlags(async () => {
    requireFaultRules(rules);
    return rules;
  });
}

function parseOffset(text: string): number {
  const offset = parseSignedDuration(text);
  if (offset !== undefined) return offset;
  throw new UsageError(`--clock-offset: ${explainSignedDuration(text)}`, {
    hint: "negative if the server's clock is behind: --clock-offset -10m",
  });
}

function parseSkew(text: string): number {
  const skew = parseDuration(text);
  if (skew !== undefined) return skew;
  throw new UsageError(`--max-skew: ${explainDuration(text)}`);
}
