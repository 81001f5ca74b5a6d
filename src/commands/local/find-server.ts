import { join } from 'node:path';
import type { Context } from '../../context.js';
import { withoutTrailingSlashes } from '../../contract/base-url.js';
import { serverFileName } from '../../contract/control.js';
import { serverFileSchema } from '../../contract/control-answers.js';
import { tryParseJson } from '../../contract/exact-json.js';
import { isLoopback } from '../../contract/loopback.js';
import { advise, ConfigError, fileMessageOf, systemCodeOf } from '../../errors.js';
import { readRegularFile } from '../../files/regular-file.js';
import { permissionsProblemOf } from '../../profiles/permissions.js';
import { isRunning } from '../../terminal/process-system.js';
import { chosenDataDirectory } from '../data-flag.js';

/** The flags of every `orgctl local` command. */
export interface LocalFlags {
  readonly data?: string | undefined;
}

/** How a server is steered. */
export interface FoundServer {
  /** The address of its control API. */
  readonly address: URL;
  readonly token: string;
  readonly caFile: string | undefined;
  /** The server's data directory; absent if the environment names the server. */
  readonly data?: string;
}

type FindContext = Pick<Context, 'system' | 'home' | 'flags'>;

/**
 * The server that runs on a data directory: that of `--data`, else the one that ORGCTL_CONTROL_URL and
 * ORGCTL_CONTROL_TOKEN name, else that of the platform's directory.
 *
 * @throws ConfigError when none is running, or its `server.json` cannot be trusted
 */
export function findServer({ data }: LocalFlags, context: FindContext): FoundServer {
  const { system } = context;
  const { env, platform } = system;
  const address = env['ORGCTL_CONTROL_URL'] || undefined;
  const token = env['ORGCTL_CONTROL_TOKEN'] || undefined;
  if (data === undefined && (address !== undefined || token !== undefined)) {
    return serverOfEnvironment(address, token, context);
  }
  return serverOf(chosenDataDirectory(data, context), platform);
}

/** No server runs on a data directory, as far as it can be told. */
export function noServer(data: string, why: string, cause?: unknown): ConfigError {
  return new ConfigError(`no server runs on ${data}: ${why}`, {
    ...advise(
      ['orgctl', 'serve'],
      (command) => `start one: ${command}; for one with other data, give --data DIR`,
    ),
    cause,
  });
}

function serverOfEnvironment(
  address: string | undefined,
  token: string | undefined,
  { system, flags }: FindContext,
): FoundServer {
  if (address === undefined || token === undefined) {
    throw new ConfigError('ORGCTL_CONTROL_URL and ORGCTL_CONTROL_TOKEN belong together', {
      hint: 'the ready line of the server has both; or unset both, and name its data with --data DIR',
    });
  }
  const caFile = flags().caFile ?? (system.env['ORGCTL_CA_FILE'] || undefined);
  return { address: controlAddress(address, 'ORGCTL_CONTROL_URL'), token, caFile };
}

/** @throws ConfigError as `findServer` */
function serverOf(data: string, platform: NodeJS.Platform): FoundServer {
  const path = join(data, serverFileName);
  const text = read(path, data);
  const problem = permissionsProblemOf([{ path, mode: '600' }], platform);
  if (problem !== undefined) throw new ConfigError(problem, { hint: 'then start the server again' });
  const file = serverFileSchema.safeParse(tryParseJson(text));
  if (!file.success) {
    throw new ConfigError(`${path} is not what a server leaves there`, {
      hint: 'remove it, and start the server again',
    });
  }
  const { control, token, caFile, pid } = file.data;
  if (!isRunning(pid)) throw noServer(data, `the one that left ${serverFileName} (pid ${pid}) is gone`);
  return { address: controlAddress(control, path), token, caFile, data };
}

function read(path: string, data: string): string {
  try {
    return readRegularFile(path).toString();
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') throw noServer(data, `it has no ${serverFileName}`, error);
    throw new ConfigError(`${path} cannot be read: ${fileMessageOf(error)}`, { cause: error });
  }
}

/** @throws ConfigError for an address other than this machine's, which must not get the token */
function controlAddress(text: string, source: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isLoopback(url.hostname)) {
    throw new ConfigError(
      `${source}: ${JSON.stringify(text)} is not the address of a server on this machine`,
      {
        hint: 'for example https://127.0.0.1:8443/_control',
      },
    );
  }
  url.pathname = withoutTrailingSlashes(url.pathname);
  return url;
}
