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
});
