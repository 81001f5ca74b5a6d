import { setImmediate } from 'node:timers/promises';
import { InterruptedError } from '../../errors/errors.js';
import type { System } from '../process/system.js';

/** Typed input that no question has used yet. */
export class TypedAhead {
  readonly #system: Pick<System, 'stdin'>;
  #lines: string[] = [];
  #rest = '';
  #isInterrupted = false;

  constructor(system: Pick<System, 'stdin'>) {
    this.#system = system;
  }

  add(line: string): void {
    this.#lines.push(line);
  }

  setRest(text: string): void {
    this.#rest = text;
  }

  takeRest(): string {
    const rest = this.#rest;
    this.#rest = '';
    return rest;
  }

  interrupt(): void {
    this.#isInterrupted = true;
  }

  /** @throws InterruptedError after Ctrl-C */
  next(): string | undefined {
    if (this.#isInterrupted) throw new InterruptedError('SIGINT');
    return this.#lines.shift();
  }

  /** Drops this input and the input that the terminal has buffered. */
  async discard(): Promise<void> {
    this.#lines = [];
    this.#rest = '';
    const { stdin } = this.#system;
    if (stdin.isTTY !== true || stdin.destroyed) return;
    try {
      // Outside raw mode, a terminal buffers a line until Enter.
      stdin.setRawMode?.(true);
      stdin.resume();
      // Node.js has no tcflush, so the event loop must read the buffered input; this takes at most two turns.
      await setImmediate();
      await setImmediate();
    } finally {
      stdin.pause();
      stdin.setRawMode?.(false);
    }
  }
}
