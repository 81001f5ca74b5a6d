import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../cli/context.js';
import { messageOf, systemCodeOf } from '../../errors/errors.js';

/** A program that is still running after so many milliseconds is taken for the browser itself. */
const patience = 2000;

/**
 * Opens an address in the user's browser, without a shell. The address is an argument, of this program and of the
 * browser, which other users of the machine can read: no secret may be in it.
 *
 * @returns why that failed; `undefined` if it seems to have worked
 */
export async function openBrowser(
  address: string,
  { env, platform }: Pick<Context['system'], 'env' | 'platform'>,
): Promise<string | undefined> {
  const [program, ...args] = openerOf(platform);
  // A browser does not need the shell's credentials, and would pass its environment on.
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
    return await Promise.race([ended, wait(patience, undefined, { signal: late.signal })]);
  } catch (error) {
    return `${program} cannot be run (${systemCodeOf(error) ?? messageOf(error)})`;
  } finally {
    late.abort();
    child.unref();
  }
}

function openerOf(platform: NodeJS.Platform): readonly [program: string, ...args: string[]] {
  if (platform === 'darwin') return ['open'];
  // `start` is a command of a shell; this is what it does with an address.
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
