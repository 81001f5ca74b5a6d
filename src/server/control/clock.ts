import { durationExamples, isoTime, parseIsoTime, parseSignedDuration } from '../../text/duration.js';
import { badRequest } from '../http/http-error.js';
import type { ClockState, ControlledClock } from './control.js';

/** Last millisecond of the year 9999: later times have no widely readable ISO 8601 form. */
export const latestTime = Date.UTC(10_000, 0) - 1;

export class ServerClock {
  readonly #source: () => number;
  readonly #atStart: number;
  #offset: number;

  constructor(source: () => number, offset = 0) {
    this.#source = source;
    this.#atStart = offset;
    this.#offset = offset;
  }

  /** Milliseconds since the epoch; bound, so that it can be passed on. */
  readonly now = (): number => this.#source() + this.#offset;

  get offset(): number {
    return this.#offset;
  }

  set(time: number): void {
    this.#offset = time - this.#source();
  }

  advance(milliseconds: number): void {
    this.#offset += milliseconds;
  }

  reset(): void {
    this.#offset = this.#atStart;
  }
}

export function controlClock(clock: ServerClock): ControlledClock {
  const state = (): ClockState => ({ time: new Date(clock.now()).toISOString(), offset: clock.offset });
  return {
    get: async () => state(),
    async set(time) {
      clock.set(possible(toMilliseconds(time)));
      return state();
    },
    async advance(by) {
      const milliseconds = parseAdvance(by);
      possible(clock.now() + milliseconds);
      clock.advance(milliseconds);
      return state();
    },
  };
}

function possible(time: number): number {
  if (time >= 0 && time <= latestTime) return time;
  throw badRequest('the time must be in the years 1970 to 9999');
}

function toMilliseconds(time: Date | string | number): number {
  if (typeof time === 'number') return time;
  if (typeof time !== 'string') return time.getTime();
  if (!isoTime.test(time)) {
    throw badRequest(
      `${JSON.stringify(time)} is neither a date nor an ISO 8601 time with a zone, such as 2030-01-01T00:00:00Z`,
    );
  }
  const milliseconds = parseIsoTime(time);
  if (milliseconds === undefined)
    throw badRequest(`${JSON.stringify(time)} does not exist: check month, day and time`);
  return milliseconds;
}

export function parseAdvance(by: number | string): number {
  const milliseconds = typeof by === 'number' ? by : parseSignedDuration(by);
  if (milliseconds === undefined)
    throw badRequest(
      `${JSON.stringify(by)} is not a duration such as ${durationExamples}; a negative one moves the clock back`,
    );
  return milliseconds;
}
