import { describe, expect, it } from 'vitest';
import { foreignService } from '../support/foreign-service.js';
import { runCli } from '../support/run-cli.js';

const quotas = { body: { teams: { limit: 1, used: 0, remaining: 1 } } };

describe('probe of a hostile service', () => {
  it('has headers and fields that are no text for a terminal, or too long', async () => {
    const long = 'x'.repeat(15_000);
    const { env } = await foreignService({
      quotas,
      list: () => ({
        body: { items: [{ id: 'a', '\u001b[31m': 1, [long]: 2 }], '\u001b[2J': 1 },
        headers: { [`X-${'h'.repeat(8000)}`]: '1', 'RateLimit-\u0041': '1' },
      }),
    });
    for (const args of [[], ['-o', 'yaml'], ['-o', 'json']]) {
      const ended = await runCli(['probe', ...args], { env, isTTY: true, columns: 100 });
      expect(ended.code).toBe(0);
      expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/\p{Cc}\[(?:31m|2J)|x{200}|h{200}/u);
    }
  });
});
