import { expect, it, onTestFinished, vi } from 'vitest';
import { readTime } from '../../src/text/duration.js';

it.each([
  ['2026-01-31T12:00:00', 12],
  ['2026-01-31 12:00:00', 12],
  ['2026-01-31 12:00:00.000', 12],
  ['2026-01-31 12:00', 12],
  ['2026-01-31', 0],
  ['2026-01-31 12:00:00Z', 12],
  ['2026-01-31T12:00:00-05:00', 17],
])('%s is in its own zone or in UTC, and not in the zone of the machine', (text, hour) => {
  vi.stubEnv('TZ', 'America/New_York');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(new Date(2026, 0, 31).getUTCHours()).toBe(5);
  expect(readTime(text)).toBe(Date.UTC(2026, 0, 31, hour));
});
