import { describe, expect, it } from 'vitest';
import { toCredentialError } from '../../src/server/explain/explain-credentials.js';
import { HttpError } from '../../src/server/http/http-error.js';
import { CredentialRefusal } from '../../src/signing/claim/claim.js';
import { ExplainingBudget } from '../../src/signing/refusals/explaining-budget.js';
import { checkHead, readClaim } from '../../src/signing/scheme.js';

describe('a flood of refused requests', () => {
  it('has the work rationed that wrong signatures take', async () => {
    const headers = { 'x-api-key': 'key_a', 'x-api-timestamp': '0', 'x-api-signature': '00' };
    const request = { method: 'GET', target: '/quotas', headers };
    const key = { keyId: 'key_a', organizationId: 'org_a', secret: 's', enabled: true };
    const claim = readClaim(request);
    if (claim instanceof CredentialRefusal) throw new Error(claim.message);
    const refusal = checkHead(claim, key, { clock: () => 0, maxSkew: 300 });
    if (!(refusal instanceof CredentialRefusal)) throw new Error('not refused');
    const explaining = { protocol: 'http', consoleAddress: () => undefined, writeCommand: String } as const;
    const error = await toCredentialError({ refusal, request, key }, explaining);
    expect(error.refusal).toMatchObject({ check: 'signature', isExpensive: true });
  });

  const limited = 'short (not explained: too many refused requests at the moment)';

  it('is explained for a second, and then in a tenth of the time', () => {
    let time = 0;
    const budget = new ExplainingBudget(() => time);
    const explain = () => {
      time += 100;
      return { reason: 'explained' };
    };
    const refusal = new HttpError(401, 'short', { check: 'signature', explain, isExpensive: true });
    const reason = () => budget.explain(refusal).reason;
    // The time that explaining takes counts as well, so that there is a little more than a second's worth.
    const first = Array.from({ length: 20 }, reason);
    expect(first.lastIndexOf('explained')).toBeLessThan(12);
    expect(first.at(-1)).toBe(limited);
    const stretch = Array.from({ length: 1000 }, () => {
      time += 10;
      return reason();
    });
    const explained = stretch.filter((one) => one === 'explained').length;
    expect((explained * 100) / (stretch.length * 10 + explained * 100)).toBeCloseTo(0.1, 1);
    time += 60_000;
    expect(reason()).toBe('explained');
  });

  it('is rationed by the work it takes, not by how long a busy machine takes for it', () => {
    let time = 0;
    let worked = 0;
    const budget = new ExplainingBudget(
      () => time,
      () => worked,
    );
    const explain = () => {
      time += 1000;
      worked += 1;
      return { reason: 'explained' };
    };
    const refusal = new HttpError(401, 'short', { check: 'signature', explain, isExpensive: true });
    for (let refused = 0; refused < 100; refused += 1)
      expect(budget.explain(refusal).reason).toBe('explained');
  });

  it('has its long targets looked through in the same time, and then told by their length', () => {
    let time = 0;
    const budget = new ExplainingBudget(() => (time += 100));
    const target = `/${'?'.repeat(2000)}`;
    const shown = Array.from({ length: 30 }, () => budget.redactedTarget(target));
    expect(shown[0]).toBe(target);
    expect(shown.slice(15)).toContain('(2001 characters)');
    expect(budget.redactedTarget('/quotas?token=x')).toBe('/quotas?token=********');
  });

  it('is explained to the last where that is no work', () => {
    let time = 0;
    const explain = () => {
      time += 100;
      return { reason: 'explained' };
    };
    const budget = new ExplainingBudget(() => time);
    const refusal = new HttpError(401, 'short', { check: 'key', explain });
    for (let refused = 0; refused < 100; refused += 1) {
      expect(budget.explain(refusal).reason).toBe('explained');
    }
  });
});
