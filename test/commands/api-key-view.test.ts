import { expect, it } from 'vitest';
import { apiKeyView } from '../../src/commands/api-keys/view.js';
import { print } from '../terminal/print.js';

const key = {
  id: 'key_0123456789abcdef01234567',
  last_used_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
};
const rows = [
  { ...key, name: 'on', enabled: true, organization: 'org_1' },
  { ...key, name: 'a name that is too long for it', enabled: false, organization: 'org_1' },
];

it.each([40, 45, 60])('%i columns show which key is disabled', async (width) => {
  const { stdout } = await print({ width }, (printer) => printer.list(rows, apiKeyView));
  expect(stdout).toMatch(/ on +true\n.* a .* fal(?:se|…)\n/);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
});
