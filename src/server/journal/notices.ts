import type { Log, NoticeEntry } from './log.js';

/** Tells whoever runs the server of something that no request is about. */
export type Tell = (event: NoticeEntry['event'], message: string) => void;

export function notices(log: Log | undefined, clock: () => number): Tell {
  return (event, message) => log?.({ event, time: new Date(clock()).toISOString(), message });
}
