import type { System } from './system.js';

export interface TerminalHolder {
  release(): void | Promise<void>;
  retake(): void | Promise<void>;
}

/**
 * Gives the terminal to the shell between Ctrl-Z and `fg`.
 * @returns a function that stops doing so; call it before you release the terminal for good
 */
export function holdThroughStops(
  system: Pick<System, 'on' | 'off' | 'stop'>,
  holder: TerminalHolder,
): () => void {
  let held = true;
  // Set when `stop` returns: the SIGCONT that may follow needs no second `retake`.
  let continued = false;
  const onStop = async () => {
    await holder.release();
    if (held) {
      system.off('SIGTSTP', onSignal);
      system.stop();
      system.on('SIGTSTP', onSignal);
    }
    continued = true;
    if (held) await holder.retake();
  };
  const onSignal = () => void Promise.allSettled([onStop()]);
  // After a SIGSTOP, which cannot be caught, the shell may have changed the terminal.
  const onContinue = () => {
    if (!continued) void Promise.allSettled([holder.retake()]);
    continued = false;
  };
  system.on('SIGTSTP', onSignal);
  system.on('SIGCONT', onContinue);
  return () => {
    held = false;
    system.off('SIGTSTP', onSignal);
    system.off('SIGCONT', onContinue);
  };
}
