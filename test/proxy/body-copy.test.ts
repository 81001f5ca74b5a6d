import { describe, expect, it } from 'vitest';
import { BodyCopy, CopyBudget } from '../../src/proxy/body-copy.js';

const kibibyte = Buffer.alloc(1024, 'x');

describe('a copy of a body', () => {
  it('is whole up to its limit', () => {
    const copy = new BodyCopy(new CopyBudget(), 2048);
    copy.add(kibibyte);
    copy.add(kibibyte);
    expect(copy.read()).toEqual({ bytes: Buffer.concat([kibibyte, kibibyte]), length: 2048, isWhole: true });
  });

  it('has nothing of a longer body, and gives its part of the budget to others', () => {
    const budget = new CopyBudget();
    const long = new BodyCopy(budget, 2048);
    for (let parts = 0; parts < 3; parts += 1) long.add(kibibyte);
    expect(budget.take(16 * 1024 * 1024)).toBe(true);
    expect(long.read()).toEqual({ bytes: Buffer.alloc(0), length: 3072, isWhole: false });
  });

  it('has nothing of a body that was announced as longer, however little came', () => {
    const budget = new CopyBudget();
    const announced = new BodyCopy(budget, 2048);
    announced.expect(2049);
    announced.add(kibibyte);
    expect(budget.take(16 * 1024 * 1024)).toBe(true);
    expect(announced.read()).toEqual({ bytes: Buffer.alloc(0), length: 1024, isWhole: false });
  });

  it('has nothing once the copies of others take all memory', () => {
    const budget = new CopyBudget();
    budget.take(16 * 1024 * 1024 - 1024);
    const [first, second] = [new BodyCopy(budget, 2048), new BodyCopy(budget, 2048)];
    first.add(kibibyte);
    second.add(kibibyte);
    expect([first.read().isWhole, second.read().isWhole]).toEqual([true, false]);
  });
});
