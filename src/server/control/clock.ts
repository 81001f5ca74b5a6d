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

export type ServerClock = ReturnType<typeof serverClock>;

/** A clock that keeps running from the time it is set to. @param source milliseconds since the epoch */
export function serverClock(source: () => number, atStart = 0) {
  let offset = atStart;
  const now = (): number => source() + offset;
  const state = (): ClockState => ({ time: new Date(now()).toISOString(), offset });
  const move = (wanted: number): ClockState => {
    const time = source() + wanted;
    if (!(time >= 0 && time <= latestTime)) throw badRequest('the time must be in the years 1970 to 9999');
    offset = wanted;
    return state();
  };
  return {
    now,
    state,
    /** @param time ISO 8601, or milliseconds since the epoch @throws HttpError 400 */
    set(time: number | string): ClockState {
      const milliseconds = typeof time === 'number' ? time : parseIsoTime(time);
      if (milliseconds !== undefined) return move(milliseconds - source());
      throw badRequest(
        `${JSON.stringify(time)} is neither a date nor an ISO 8601 time with a zone, such as 2030-01-01T00:00:00Z`,
      );
    },
    /** @param by milliseconds, or a duration such as `-10m` @throws HttpError 400 */
    advance(by: number | string): ClockState {
      const milliseconds = typeof by === 'number' ? by : parseSignedDuration(by);
      if (milliseconds !== undefined) return move(offset + milliseconds);
      throw badRequest(
        `${JSON.stringify(by)} is not a duration such as ${durationExamples}; a negative one moves the clock back`,
      );
    },
    reset(): void {
      offset = atStart;
    },
  };
}
