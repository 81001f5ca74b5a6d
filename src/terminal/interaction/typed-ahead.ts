import { setImmediate } from 'node:timers/promises';
import { InterruptedError } from '../../errors/errors.js';
import type { System } from '../process/system.js';

/** What was typed and no question was answered with yet. */
export class TypedAhead {
  readonly #system: Pick<System, 'stdin'>;
  #lines: string[] = [];
  /** What follows the last whole line. */
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

  /** Ctrl-C was typed: the next question ends with that. */
  interrupt(): void {
    this.#isInterrupted = true;
  }

  /** The next whole line. @throws InterruptedError after Ctrl-C */
  next(): string | undefined {
    if (this.#isInterrupted) throw new InterruptedError('SIGINT');
    return this.#lines.shift();
  }

  /** Drops all of it, with what the terminal itself has. */
  async discard(): Promise<void> {
    this.#lines = [];
    this.#rest = '';
    const { stdin } = this.#system;
    if (stdin.isTTY !== true || stdin.destroyed) return;
    try {
      // In its usual mode a terminal keeps a line to itself until Enter.
      stdin.setRawMode?.(true);
      stdin.resume();
      // Node offers no tcflush. The second turn of the event loop begins with reading all that is there.
      await setImmediate();
      await setImmediate();
    } finally {
      stdin.pause();
      stdin.setRawMode?.(false);
    }
  }
}
