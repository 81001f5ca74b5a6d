import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuotaExceeded, quotaExceededMessage } from '../../src/api/error-message.js';
import { quotaKinds } from '../../src/api/resources/index.js';

describe('parseQuotaExceeded', () => {
  it('reads what section 7 of the reference shows, and what quotaExceededMessage wrote', () => {
    const shown = 'Quota exceeded: maximum 10 connections allowed per organization (currently: 10)';
    expect(quotaExceededMessage(10, 'connections', 10)).toBe(shown);
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(...quotaKinds, 'web-hooks'), fc.nat(), (limit, kind, used) => {
        expect(parseQuotaExceeded(quotaExceededMessage(limit, kind, used))).toEqual({ kind, limit, used });
      }),
    );
  });

  it.each([
    ['another refusal', 'API key is disabled'],
    ['a figure that is none', 'Quota exceeded: maximum ten teams allowed per organization (currently: 10)'],
    ['text before', 'x Quota exceeded: maximum 1 teams allowed per organization (currently: 1)'],
    ['a line feed after', 'Quota exceeded: maximum 1 teams allowed per organization (currently: 1)\n'],
  ])('takes %s for no quota refusal', (_case, message) => {
    expect(parseQuotaExceeded(message)).toBeUndefined();
  });
});
