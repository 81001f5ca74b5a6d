import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../cli/context.js';
import { readMessage, readSystemCode } from '../../errors/errors.js';

/** In milliseconds; an opener that runs longer counts as the browser itself. */
const openerPatience = 2000;

/** Other users can read the arguments, so the URL must not contain a secret. @returns why opening it failed */
export async function openBrowser(
  address: string,
  { env, platform }: Pick<Context['system'], 'env' | 'platform'>,
): Promise<string | undefined> {
  const [program, ...args] = chooseOpener(platform);
  // The browser needs no credentials.
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('ORGCTL_'));
  const child = spawn(program, [...args, address], {
    env: Object.fromEntries(kept),
    detached: true,
    stdio: 'ignore',
  });
  const late = new AbortController();
  try {
    const ended = once(child, 'exit').then(([code, signal]) =>
      code === 0 ? undefined : `${program} failed (${signal ?? `exit ${code}`})`,
    );
    return await Promise.race([ended, wait(openerPatience, undefined, { signal: late.signal })]);
  } catch (error) {
    return `${program} cannot be run (${readSystemCode(error) ?? readMessage(error)})`;
  } finally {
    late.abort();
    child.unref();
  }
}

function chooseOpener(platform: NodeJS.Platform): readonly [program: string, ...args: string[]] {
  if (platform === 'darwin') return ['open'];
  // On Windows, `start` is built into the shell, so it cannot be spawned.
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
