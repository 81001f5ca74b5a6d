import { resolve } from 'node:path';
import type { Context } from '../../context.js';
import { fileMessageOf, UsageError } from '../../errors.js';
import { readRegularFile } from '../../files/regular-file.js';
import { dataDirectory } from '../../platform-directories.js';
import type { FirstOrganizationOptions, Seed, ServerOptions } from '../../server/index.js';
import { parseQuotaRules } from '../quota-rules.js';
import { sharedDatabase } from './database.js';
import { type LabFlags, labOptions } from './lab-options.js';

/** The flags of `serve`, as typed. */
export interface ServeFlags extends LabFlags {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly data?: string | undefined;
  readonly database?: string | undefined;
  readonly ephemeral?: boolean | undefined;
  readonly http?: boolean | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly tlsName?: readonly string[] | undefined;
  readonly controlHost?: readonly string[] | undefined;
  readonly consolePort?: string | undefined;
  /** False with `--no-console`. */
  readonly console: boolean;
  readonly bootstrapKeyId?: string | undefined;
  readonly quota?: readonly string[] | undefined;
  readonly seed?: string | undefined;
  readonly readyFile?: string | undefined;
  readonly log?: string | undefined;
  readonly profile: boolean;
  readonly saveProfile?: string | undefined;
}

const defaultPort = 8443;
const defaultConsolePort = 8444;

/**
 * The server that the flags ask for. With a command to run it is in memory and on a free port, unless said otherwise.
 *
 * @throws UsageError for a flag that makes no sense
 */
export async function serverOptions(
  flags: ServeFlags,
  command: readonly string[],
  context: Pick<Context, 'system' | 'home'>,
): Promise<ServerOptions> {
  const { env, platform } = context.system;
  if (flags.ephemeral && flags.data !== undefined) {
    throw new UsageError('--ephemeral and --data exclude each other');
  }
  const inMemory = flags.ephemeral || (command.length > 0 && flags.data === undefined);
  const machine = { env, platform, homedir: context.home };
  const data = flags.data === undefined ? dataDirectory(machine) : resolve(context.system.cwd(), flags.data);
  const first = {
    bootstrap: { keyId: flags.bootstrapKeyId, secret: env['ORGCTL_SERVE_SECRET'] || undefined },
    quotas: parseQuotaRules(flags.quota ?? [], (rule) => `--quota ${rule}`),
  };
  return {
    ...first,
    ...labOptions(flags),
    host: flags.host,
    port: parsePort('--port', flags.port) ?? (command.length > 0 ? 0 : defaultPort),
    data: inMemory ? undefined : data,
    database: sharedDatabase(flags, command, context.system),
    http: flags.http,
    tls: readTls(flags, context),
    tlsNames: flags.tlsName,
    controlHosts: flags.controlHost,
    console: consoleOf(flags, command),
    seed: await seedOf(flags.seed, first, context),
    masterKey: env['ORGCTL_SERVE_MASTER_KEY'] || undefined,
  };
}

async function seedOf(
  path: string | undefined,
  first: FirstOrganizationOptions,
  context: Pick<Context, 'system'>,
): Promise<Seed | undefined> {
  if (path === undefined) return undefined;
  const { readSeedFile } = await import('./seed-file.js');
  return readSeedFile(path, first, context);
}

/** With a command nobody looks at it, unless it is asked for. */
function consoleOf(
  { consolePort, console: isWanted }: ServeFlags,
  command: readonly string[],
): ServerOptions['console'] {
  const port = parsePort('--console-port', consolePort);
  if (port === undefined) return isWanted && command.length === 0 && { port: defaultConsolePort };
  if (isWanted) return { port };
  throw new UsageError('--console-port and --no-console exclude each other');
}

function parsePort(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`${flag} ${text}: not a port`, { hint: '0 to 65535; 0 picks a free one' });
}

function readTls({ tlsCert, tlsKey }: ServeFlags, context: Pick<Context, 'system'>): ServerOptions['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new UsageError('--tls-cert and --tls-key belong together');
  }
  return { cert: readPem('--tls-cert', tlsCert, context), key: readPem('--tls-key', tlsKey, context) };
}

function readPem(flag: string, path: string, { system }: Pick<Context, 'system'>): string {
  try {
    return readRegularFile(resolve(system.cwd(), path)).toString();
  } catch (error) {
    throw new UsageError(`${flag} ${path}: ${fileMessageOf(error)}`, { cause: error });
  }
}
