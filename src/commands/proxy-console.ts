import type { Context } from '../cli/context.js';
import { formatCommand } from '../errors/advice.js';
import { chosenDataDirectory } from '../input/data-flag.js';
import type { RunningProxy } from '../proxy/proxy-server.js';
import type { WatchConsole } from '../server/watched/open-watch-console.js';
import { ownProcessId } from '../terminal/process/process-system.js';
import { type BaseUrl, portOf } from '../text/base-url.js';
import type { Watch } from '../verbs/proxy/watch.js';
import { removeAbandonedProxyFiles } from './local/find-server.js';
import { namingFlags } from './serve/options.js';

export type ProxyConsole = WatchConsole;

/** Opens a console for the exchanges in a proxy's journal. @throws UsageError if it cannot listen */
export async function openProxyConsole(
  port: number,
  running: RunningProxy,
  { origin, prefix }: BaseUrl,
  { journal, notify }: Pick<Watch, 'journal' | 'notify'>,
  { system, home, settings }: Pick<Context, 'system' | 'home' | 'settings'>,
): Promise<WatchConsole | undefined> {
  if (journal === undefined) return undefined;
  const { openWatchConsole } = await import('../server/watched/open-watch-console.js');
  const { url, faults } = running;
  const number = String(portOf(new URL(url)));
  const directory = chosenDataDirectory(undefined, { system, home });
  removeAbandonedProxyFiles(directory);
  // An unusable key ID is ignored here: the calls that need it report the error.
  const own = await settings()
    .keyId()
    .catch(() => undefined);
  return namingFlags(() =>
    openWatchConsole({
      port,
      journal,
      notify,
      directory,
      proxy: {
        url,
        upstream: `${origin}${prefix}`,
        keyId: own?.value ?? '',
        pid: ownProcessId(),
        startedAt: new Date().toISOString(),
        faults,
      },
      writeCommand: (words) => formatCommand(['orgctl', ...words, '--proxy', number]),
    }),
  );
}
