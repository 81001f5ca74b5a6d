import { expect, it } from 'vitest';
import { Traffic } from '../../src/console/overview/traffic.js';

it('requests from before the clock was set back count neither in the bars nor by key', () => {
  const traffic = new Traffic();
  const entry = { id: 1, method: 'GET', target: '/teams', status: 200, milliseconds: 1, keyId: 'key_a' };
  const times = ['2026-01-01T00:00:00.000Z', '2026-01-01T01:00:00.000Z'];
  traffic.take({ entries: times.map((time) => ({ ...entry, time })) });
  const now = Date.parse('2026-01-01T00:00:01.000Z');
  expect(traffic.bars(now).map(({ good }) => good)).toEqual([...Array(59).fill(0), 1]);
  expect(traffic.keys(now)).toEqual([['key_a', 1]]);
});
