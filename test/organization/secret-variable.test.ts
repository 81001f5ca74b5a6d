import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameVariable } from '../../src/organization/export/secret-variable.js';

describe('the variable of a value', () => {
  it('is spelt as people do where no other value can have it', () => {
    const of = (name: string, ...path: string[]) => nameVariable({ name, path });
    expect(of('app', 'password')).toBe('APP_DB_PASSWORD');
    expect(of('orders-db', 'ssl_key')).toBe('ORDERS_DB_DB_SSL_KEY');
    expect(of('9lives', 'password')).toBe('_9LIVES_DB_PASSWORD');
    expect(of('日本', 'password')).toMatch(/^CONNECTION_DB_PASSWORD_[0-9A-F]{16}$/);
  });

  it('is that of no other, however alike they are', () => {
    const part = fc.stringMatching(/^[aA1é]?[-_. ]?(db|DB|b|0123456789abcdef)?[-_]{0,2}(x|X)?$/);
    const value = fc.record({
      name: part,
      id: fc.option(part, { nil: undefined }),
      path: fc.array(part, { minLength: 1, maxLength: 3 }),
    });
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(value, (one) => {
        const variable = nameVariable(one);
        expect(variable).toMatch(/^[A-Z_][A-Z0-9_]*$/);
        const identity = JSON.stringify([one.name, one.id ?? null, one.path]);
        expect(seen.get(variable) ?? identity).toBe(identity);
        seen.set(variable, identity);
      }),
      { numRuns: 1000 },
    );
    expect(nameVariable({ name: 'x'.repeat(1e6), path: ['y'.repeat(1e6)] }).length).toBeLessThan(200);
  });
});
