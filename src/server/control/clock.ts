import { durationExamples, parseIsoTime, parseSignedDuration } from '../../text/duration.js';
import { badRequest } from '../http/answer.js';

/** The end of the year 9999: later times have no widely readable ISO 8601 form. */
export const latestTime = Date.UTC(10_000, 0) - 1;

/** The server's time. */
export interface ClockState {
  readonly time: string;
  /** Milliseconds ahead of the machine's clock; negative when behind. */
  readonly offset: number;
}

/** Keeps running from the time it is set to. */
export class ServerClock {
  readonly #source: () => number;
  readonly #atStart: number;
  #offset: number;

  constructor(source: () => number, offset = 0) {
    this.#source = source;
    this.#atStart = offset;
    this.#offset = offset;
  }

  /** Milliseconds since the epoch. */
  readonly now = (): number => this.#source() + this.#offset;

  get state(): ClockState {
    return { time: new Date(this.now()).toISOString(), offset: this.#offset };
  }

  /** @param time ISO 8601, or milliseconds since the epoch @throws HttpError 400 */
  set(time: number | string): ClockState {
    const milliseconds = typeof time === 'number' ? time : parseIsoTime(time);
    if (milliseconds !== undefined) return this.#move(milliseconds - this.#source());
    throw badRequest(
      `${JSON.stringify(time)} is neither a date nor an ISO 8601 time with a zone, such as 2030-01-01T00:00:00Z`,
    );
  }

  /** @param by milliseconds, or a duration such as `-10m` @throws HttpError 400 */
  advance(by: number | string): ClockState {
    const milliseconds = typeof by === 'number' ? by : parseSignedDuration(by);
    if (milliseconds !== undefined) return this.#move(this.#offset + milliseconds);
    throw badRequest(
      `${JSON.stringify(by)} is not a duration such as ${durationExamples}; a negative one moves the clock back`,
    );
  }

  reset(): void {
    this.#offset = this.#atStart;
  }

  #move(offset: number): ClockState {
    const time = this.#source() + offset;
    if (!(time >= 0 && time <= latestTime)) throw badRequest('the time must be in the years 1970 to 9999');
    this.#offset = offset;
    return this.state;
  }
}
