import { signal } from '@preact/signals';

/** Milliseconds that the server's clock is ahead: ages use the clock that wrote the times. */
export const clockOffset = signal(0);

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

/** `3 min ago`; future times are `in 3 min`. */
export function describeAge(time: number, at: number): string {
  const seconds = Math.round((at - time) / 1000);
  const size = Math.abs(seconds);
  const [length, unit] = ageSteps.find(([length]) => size >= length) ?? [1, 's'];
  if (size < 5) return 'just now';
  const text = `${Math.floor(size / length)} ${unit}`;
  return seconds < 0 ? `in ${text}` : `${text} ago`;
}
