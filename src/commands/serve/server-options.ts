import { resolve } from 'node:path';
import { splitStubText } from '../../api/control/stub-text.js';
import { requireFaultRules } from '../../api/faults/fault-rule.js';
import type { Context } from '../../cli/context.js';
import { describeFileError, UsageError } from '../../errors/errors.js';
import { chosenDataDirectory } from '../../input/data-flag.js';
import { parseQuotaRules } from '../../input/quota-rules.js';
import { readRegularFile } from '../../platform/regular-file.js';
import type { ServerOptions } from '../../server/index.js';
import type { ServeFlags } from './options.js';

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
    tls: readTls(flags, context),
    tlsNames: flags.tlsName,
    cors: flags.cors,
    controlHosts: flags.controlHost,
    console: hasConsole !== false && consolePort !== undefined && { port: consolePort },
    masterKey: context.system.env['ORGCTL_SERVE_MASTER_KEY'] || undefined,
  };
}

/** Reads the files of options, and the options that a seed must fit. Explicit stubs override recorded responses. */
async function readFiles(flags: ServeFlags, context: Context) {
  const { dialect: name, seed: path, stub: texts = [], replay } = flags;
  const secret = context.system.env['ORGCTL_SERVE_SECRET'] || undefined;
  const first = {
    bootstrap: { keyId: flags.bootstrapKeyId, secret },
    quotas: parseQuotaRules(flags.quota ?? [], (rule) => `--quota ${rule}`),
  };
  if (name === undefined && path === undefined && texts.length === 0 && replay === undefined) return first;
  const { readDialect, readReplayFile, readSeedFile } = await import('./input-files.js');
  const { readStubs } = await import('../../input/stub-text.js');
  const dialect = name === undefined ? undefined : await readDialect(name, context);
  const stubs = await readStubs(texts, context);
  const given = new Set(
    stubs.map((stub) => (typeof stub === 'string' ? splitStubText(stub)?.request : stub.request)),
  );
  const replayed = replay === undefined ? [] : await readReplayFile(replay, dialect, context);
  return {
    ...first,
    dialect,
    stubs: [...stubs, ...replayed.filter(({ request }) => !given.has(request))],
    seed: path === undefined ? undefined : await readSeedFile(path, context),
  };
}

function readTls({ tlsCert, tlsKey }: ServeFlags, { system }: Context): ServerOptions['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new UsageError('--tls-cert and --tls-key must be given together');
  const read = (flag: string, path: string) => {
    try {
      return readRegularFile(resolve(system.cwd(), path)).toString();
    } catch (error) {
      throw new UsageError(`${flag} ${path}: ${describeFileError(error)}`, { cause: error });
    }
  };
  return { cert: read('--tls-cert', tlsCert), key: read('--tls-key', tlsKey) };
}

/**
 * The URL from flag or variable. With a command, ignores the variable: tests must not run against shared data.
 * @throws UsageError that never quotes the URL, for example if the flag has a password, which all users could read
 */
export function sharedDatabase(
  { database, ephemeral }: Pick<ServeFlags, 'database' | 'ephemeral'>,
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
    hint: 'leave it out and set PGPASSWORD, or set ORGCTL_SERVE_DATABASE to the whole URL instead of --database',
  });
}
