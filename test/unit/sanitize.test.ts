import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  hasHidden,
  sanitize,
  sanitizeJson,
  sanitizeLines,
  sanitizeYaml,
} from '../../src/terminal/text/sanitize.js';
import { anyText } from './support/any-text.js';

describe('one line of foreign text', () => {
  test.each([
    ['clear screen', '\u001b[2Jgone', '\\u{1b}[2Jgone'],
    ['C1 control sequence', '\u009b31mred', '\\u{9b}31mred'],
    ['carriage return over the line', 'safe\rfake', 'safe\\rfake'],
    ['right-to-left override', 'photo_\u202egnp.exe', 'photo_\\u{202e}gnp.exe'],
    ['line and paragraph separators', 'a\u2028b\u2029c', 'a\\u{2028}b\\u{2029}c'],
    ['joiners between Latin letters', 'ad\u200dmin\u200c', 'ad\\u{200d}min\\u{200c}'],
    ['fillers that look like nothing', '\u3164\u115f\uffa0', '\\u{3164}\\u{115f}\\u{ffa0}'],
    ['tag characters', 'a\u{e0041}', 'a\\u{e0041}'],
    ['lone surrogates', '\ud800x\udc00', '\\u{d800}x\\u{dc00}'],
  ])('%s', (_name, text, expected) => {
    expect(sanitize(text)).toBe(expected);
    expect(hasHidden(text) || /^[^\n]*\n/.test(text)).toBe(true);
  });

  test.each([
    ['ASCII', 'C:\\users\\u{1b}'],
    ['accents, composed and combining', 'café cafe\u0301'],
    ['CJK', '東京データベース 한국어'],
    ['emoji with joiners and selectors', '👩‍💻 ❤️ 1️⃣ 🏳️‍🌈 👍🏽 🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ])('%s stays as it is', (_name, text) => {
    expect(sanitize(text)).toBe(text);
    expect(hasHidden(text)).toBe(false);
  });

  test('no text at all brings a control or a direction mark through', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(sanitize(text)).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{200b}\u{feff}]/u);
      }),
    );
  });
});

test('lines keep their line feeds and tabs, and nothing else', () => {
  expect(sanitizeLines('POST\n\t/a\r\n\u001b[0m')).toBe('POST\n\t/a\\r\n\\u{1b}[0m');
});

test('JSON stays the same value, and has no raw hidden character', () => {
  expect(sanitizeJson('"a\u007fb\u202e\u{e0041}"')).toBe('"a\\u007fb\\u202e\\udb40\\udc41"');
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const json = JSON.stringify(value, null, 2);
      expect(JSON.parse(sanitizeJson(json))).toEqual(JSON.parse(json));
    }),
  );
});

test('YAML escapes take eight digits beyond U+FFFF', () => {
  expect(sanitizeYaml('"\u202e\u{e0041}"\n')).toBe('"\\u202e\\U000e0041"\n');
});
