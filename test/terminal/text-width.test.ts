import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { isMeasurable, learnWidths, textWidth, truncate } from '../../src/terminal/text-width.js';
import { print } from './print.js';

const everyCharacter = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));

// In this order: what is learnt once stays.
describe('before widths are learnt', () => {
  it('only what takes one column a character can be measured', () => {
    const measurable = everyCharacter.filter(isMeasurable);
    expect(measurable).toEqual(expect.arrayContaining(['a', '~', 'é', '–', '…', '█', '░']));
    expect(measurable.filter((character) => stringWidth(`${character}x`) !== 2)).toEqual([]);
    expect(textWidth(measurable.join(''))).toBe(stringWidth(measurable.join('')));
  });

  it('other text is refused, not miscounted', () => {
    expect(isMeasurable('cafe\u0301')).toBe(false);
    expect(() => textWidth('東京')).toThrow('before learnWidths');
  });

  it('a table learns them by itself, for its header too', async () => {
    const view = { columns: [{ header: '東京', value: (row: string) => row }] };
    const { stdout } = await print({ format: 'table', width: 3 }, (printer) => printer.list(['x'], view));
    expect(stdout).toBe('東…\nx\n');
  });
});

describe('once they are learnt', () => {
  it('everything can be measured', async () => {
    await learnWidths();
    expect(everyCharacter.every(isMeasurable)).toBe(true);
    expect(textWidth('東京')).toBe(4);
  });
});

describe('long text', () => {
  const unit = fc.constantFrom(
    'a',
    '\u6771',
    '\u{1F469}',
    '\u200D',
    '\u0301',
    '\u{1F1E9}',
    '\uFE0F',
    '\u1100',
    '\u1161',
    '\u0915',
    '\u094D',
  );
  const long = fc.string({ unit, minLength: 250, maxLength: 900 });

  it('is as wide in pieces as it is as a whole, and is cut between characters', async () => {
    await learnWidths();
    fc.assert(
      fc.property(long, (text) => {
        expect(textWidth(text)).toBe(stringWidth(text));
        const cut = truncate(text, Math.max(1, stringWidth(text) - 5));
        expect(text.startsWith(cut.replace(/\u2026$/, ''))).toBe(true);
        expect(stringWidth(cut)).toBeLessThanOrEqual(Math.max(1, stringWidth(text) - 5));
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });
});
