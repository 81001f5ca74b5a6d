import { controlPath } from '../../api/control/calls.js';
import type { ServerFile } from '../../api/control/control-answers.js';
import type { Context } from '../../cli/context.js';
import { ConfigError, UsageError } from '../../errors/errors.js';
import { chosenDataDirectory } from '../../input/data-flag.js';
import { isLoopback, withoutTrailingSlashes } from '../../text/base-url.js';
import { findSharedServers, readOwnerFile, readProxyFile } from './server-files.js';

export interface LocalFlags {
  readonly data?: string | undefined;
  readonly proxy?: string | true | undefined;
}

export interface FoundServer {
  readonly address: URL;
  readonly token: string;
  readonly caFile: string | undefined;
  /** Data directory and server file; absent if the environment has the token. */
  readonly left?: { readonly data: string; readonly file: ServerFile };
}

type FindContext = Pick<Context, 'system' | 'home' | 'flags'>;

/**
 * Finds a server by `--data`, else by ORGCTL_CONTROL_URL and ORGCTL_CONTROL_TOKEN, else in the default data directory.
 * Without the token, the URL selects one of the directory's servers. With `--proxy`, finds a proxy instead.
 * @throws UsageError for --profile or --base-url; ConfigError if it finds no running server that it can trust
 */
export function findServer({ data, proxy }: LocalFlags, context: FindContext): FoundServer {
  const { system } = context;
  const { env, platform } = system;
  if (data === undefined && proxy === undefined) refuseProfile(context);
  if (proxy !== undefined) {
    const directory = chosenDataDirectory(data, context);
    return foundBy(readProxyFile(directory, proxy === true ? undefined : proxy, platform), directory);
  }
  const address = env['ORGCTL_CONTROL_URL'] || undefined;
  const token = env['ORGCTL_CONTROL_TOKEN'] || undefined;
  if (data === undefined && token !== undefined) return serverOfEnvironment(address, token, context);
  const directory = chosenDataDirectory(data, context);
  if (address !== undefined && token === undefined) return serverAt(address, directory, platform);
  return foundBy(readOwnerFile(directory, platform), directory);
}

/** A profile would be ignored, and the command would act on another server. */
function refuseProfile({ flags }: FindContext): void {
  const { profile, baseUrl } = flags();
  if (profile === undefined && baseUrl === undefined) return;
  throw new UsageError(
    `${profile === undefined ? '--base-url' : '--profile'} does not choose a server for orgctl local`,
    { hint: 'choose it by its data directory: --data DIR' },
  );
}

function serverOfEnvironment(
  address: string | undefined,
  token: string,
  { system, flags }: FindContext,
): FoundServer {
  if (address === undefined) {
    throw new ConfigError('ORGCTL_CONTROL_TOKEN is set without ORGCTL_CONTROL_URL', {
      hint: 'the ready line of the server has both; or unset the token and pass --data DIR',
    });
  }
  const caFile = flags().caFile ?? (system.env['ORGCTL_CA_FILE'] || undefined);
  return { address: controlAddress(address, 'ORGCTL_CONTROL_URL'), token, caFile };
}

/** The server whose file in the data directory has this address; the file also has the token. */
function serverAt(text: string, data: string, platform: NodeJS.Platform): FoundServer {
  const address = controlAddress(text, 'ORGCTL_CONTROL_URL');
  const files = [...ownerFileIfThere(data, platform), ...findSharedServers(data, platform)];
  const found = files
    .map((file) => foundBy(file, data))
    .find((server) => server.address.href === address.href);
  if (found !== undefined) return found;
  const there = files.map(({ control }) => control).join(', ');
  throw new ConfigError(`no server at ${address.href} stored its token in ${data}`, {
    hint: `${there === '' ? '' : `servers there: ${there}; `}set ORGCTL_CONTROL_TOKEN to the token in the ready line of the server`,
  });
}

function ownerFileIfThere(data: string, platform: NodeJS.Platform): readonly ServerFile[] {
  try {
    return [readOwnerFile(data, platform)];
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  }
}

function foundBy(file: ServerFile, data: string): FoundServer {
  const { control, token, caFile } = file;
  return { address: controlAddress(control, `a file in ${data}`), token, caFile, left: { data, file } };
}

/** @throws ConfigError for an address on another machine, which must not get the token */
function controlAddress(text: string, source: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isLoopback(url.hostname)) {
    throw new ConfigError(
      `${source}: ${JSON.stringify(text)} is not the address of a server on this machine`,
      {
        hint: `for example https://127.0.0.1:8443${controlPath}`,
      },
    );
  }
  // An address without a path stands for the control API there.
  url.pathname = withoutTrailingSlashes(url.pathname) || controlPath;
  return url;
}
