import type { System } from './system.js';

/** What holds the terminal in a state of its own: a prompt, which reads keys unechoed, or a drawn screen. */
export interface TerminalHolder {
  /** Gives the terminal back as it was before. */
  release(): void | Promise<void>;
  /** Takes it again, and draws what had been there. */
  retake(): void | Promise<void>;
}

/**
 * Lets Ctrl-Z and `fg` work while the terminal is held: it is given back before the process stops, for the shell to
 * use, and taken again when the process goes on. Otherwise what is typed for a prompt would reach the shell, seen by all.
 *
 * @returns what ends it, to be called before the terminal is given back for good
 */
export function holdThroughStops(
  system: Pick<System, 'on' | 'off' | 'stop'>,
  holder: TerminalHolder,
): () => void {
  let held = true;
  // Its own SIGCONT is still to come when `stop` returns; none comes where nobody could continue the process, and the
  // system therefore did not stop it.
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
  // After a stop that nobody can see coming (SIGSTOP) the shell has set the terminal to its own liking.
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
