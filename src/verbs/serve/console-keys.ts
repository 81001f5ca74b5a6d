import type { Context } from '../../cli/context.js';
import { readMessage } from '../../errors/errors.js';
import type { RunningServer } from '../../server/index.js';

type KeysContext = Pick<Context, 'system' | 'streams'>;

export const consoleKeysHint = 'Type o and Enter to open it, r and Enter for a fresh link.';

/** Obeys lines typed on the terminal; Ctrl-C and Ctrl-Z still send signals. @returns a function that stops reading */
export async function obeyConsoleKeys(
  server: Pick<RunningServer, 'control'>,
  context: KeysContext,
): Promise<() => void> {
  const { system } = context;
  const { stdin } = system;
  const onText = (chunk: Buffer | string) => {
    for (const line of String(chunk).split('\n')) void obey(line.trim(), server, context);
  };
  let hasEnded = false;
  // Reading in the background would stop the process, so `listen` checks again after each `fg` and `bg`.
  const listen = async () => {
    stdin.pause();
    const { isInForeground } = await import('../../terminal/process/foreground.js');
    // Resuming stdin after the end would keep the process alive.
    if ((await isInForeground(system.pid, system.platform)) && !hasEnded) stdin.resume();
  };
  const onContinue = () => void listen();
  stdin.on('data', onText);
  system.on('SIGCONT', onContinue);
  await listen();
  return () => {
    hasEnded = true;
    system.off('SIGCONT', onContinue);
    stdin.off('data', onText);
    stdin.pause();
  };
}

async function obey(
  typed: string,
  { control }: Pick<RunningServer, 'control'>,
  { system, streams }: KeysContext,
): Promise<void> {
  const say = (text: string) => streams.stderr.write(`${text}\n`);
  try {
    if (typed === 'r') await say(`Console: ${await control.consoleLink()}`);
    if (typed !== 'o') return;
    // Other users can read a browser's arguments, so they contain only the address, and the page asks for the code.
    const { console: address, code } = await control.consoleInvitation();
    await say(`Opening ${address}. The page asks for this code: ${code}`);
    const { openBrowser } = await import('../local/open-browser.js');
    const problem = await openBrowser(address, system);
    if (problem !== undefined) await say(`${problem}: open the address yourself`);
  } catch (error) {
    await say(`error: ${readMessage(error)}`).catch(() => undefined);
  }
}
