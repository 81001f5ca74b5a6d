import { onTestFinished, vi } from 'vitest';

/**
 * Stops the timers of this test: time passes for them by the function that is returned, in milliseconds. Sockets go on
 * as ever, so a test can wait for what it needs and only then let a timeout fire.
 */
export function holdTimers(): (milliseconds: number) => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return (milliseconds) => void vi.advanceTimersByTime(milliseconds);
}
