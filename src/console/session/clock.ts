import { signal } from '@preact/signals';

/** Milliseconds by which the server's clock is ahead of this machine's. Timestamps and ages use the server's clock. */
export const clockOffset = signal(0);

/** Milliseconds since the epoch, by the server's clock. */
export const now = signal(Date.now());

setInterval(() => {
  if (!document.hidden) now.value = Date.now() + clockOffset.peek();
}, 1000);

export function setClockOffset(offset: number): void {
  clockOffset.value = offset;
  now.value = Date.now() + offset;
}

const ageSteps: readonly (readonly [seconds: number, unit: string])[] = [
  [365 * 86_400, 'y'],
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
];

/** Such as `3 min ago`, or `3 min ahead of the clock` if the clock has been set back since. */
export function describeAge(time: number, at: number): string {
  const seconds = Math.round((at - time) / 1000);
  const size = Math.abs(seconds);
  const [length, unit] = ageSteps.find(([length]) => size >= length) ?? [1, 's'];
  if (size < 5) return 'just now';
  const text = `${Math.floor(size / length)} ${unit}`;
  return seconds < 0 ? `${text} ahead of the clock` : `${text} ago`;
}
