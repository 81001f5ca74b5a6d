import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { isNarrowText, measureTexts } from '../../../src/terminal/text/text-width.js';
import { print } from '../print.js';

async function measured(...texts: readonly string[]) {
  const all = await measureTexts(texts.map((text) => ({ text })));
  return all.map(({ content }) => content);
}

describe('a width', () => {
  it('is one column for each character that is counted without the tables of Unicode', () => {
    // Two of each: a mark is counted by what it stands on.
    const texts = Array.from({ length: 0x3000 }, (_, code) => `x${String.fromCharCode(code)}x`);
    const narrow = texts.filter(isNarrowText);
    expect(narrow.length).toBeGreaterThan(500);
    expect(narrow.filter((text) => stringWidth(text) !== 3)).toEqual([]);
  });

  it('of a header matters, too', async () => {
    const view = { columns: [{ header: '東京', value: (row: string) => row }] };
    const { stdout } = await print({ format: 'table', width: 3 }, (printer) => printer.list(['x'], view));
    expect(stdout).toBe('東…\nx\n');
  });
});

describe('long text', () => {
  it('is not taken apart within a character', async () => {
    for (let at = 0; at < 8; at += 1) {
      // A family of two, somewhere about the place where a piece ends.
      const text = `${'\u6771'.repeat(250 + at)}${'\u{1F469}\u200D\u{1F469}'}${'\u6771'.repeat(100)}`;
      const [content] = await measured(text);
      expect(content?.width).toBe(stringWidth(text));
    }
  });

  const unit = fc.constantFrom(...'a\u6771\u{1F469}\u200D\u0301\u{1F1E9}\uFE0F\u1100\u1161\u0915\u094D');
  const long = fc.string({ unit, minLength: 250, maxLength: 900 });

  it('is as wide in pieces as it is as a whole, and is cut between characters', async () => {
    await fc.assert(
      fc.asyncProperty(long, async (text) => {
        const [content] = await measured(text);
        expect(content?.width).toBe(stringWidth(text));
        const cut = content?.cut(Math.max(1, stringWidth(text) - 5)).text ?? '';
        expect(text.startsWith(cut.replace(/\u2026$/, ''))).toBe(true);
        expect(stringWidth(cut)).toBeLessThanOrEqual(Math.max(1, stringWidth(text) - 5));
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});
