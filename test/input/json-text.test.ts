import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedText, parseInputJson, placeInJson } from '../../src/input/json-text.js';

/** Why a text is refused, with its line and column. */
function refusalOf(text: string): string {
  try {
    return JSON.stringify(parseInputJson(text, 'file')) ?? 'not JSON';
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    return error.message.replace('file:', '');
  }
}

const duplicate = 'duplicate key: the names of fields must be unique';

describe('JSON that a person wrote', () => {
  it('is what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2, '\t'), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(JSON.stringify(parseInputJson(text, 'file'))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it.each([
    ['{"a":1,"a":2}', `1:8: ${duplicate}`],
    ['{\n  "a": {"b": 1},\n  "c": [{"b": 1, "d": "a", "b": 2}]\n}', `3:28: ${duplicate}`],
    ['{"a":1,"\\u0061":2}', `1:8: ${duplicate}`],
    ['{"__proto__":1,"__proto__":2}', `1:16: ${duplicate}`],
    ['{"a":{"b":1},"b":{"a":"\\"","c":"{"},"c":["a","a"]}', expect.not.stringContaining('duplicate')],
    ['{"":1,"":2}', `1:7: ${duplicate}`],
    ['[{},[],{"a":1}]', '[{},[],{"a":1}]'],
    ['{"a":1', 'not JSON'],
  ])('%s', (text, expected) => {
    expect(refusalOf(text)).toEqual(expected);
  });

  it('may be 128 levels deep, and not more', () => {
    const levels = (count: number) => '['.repeat(count) + ']'.repeat(count);
    expect(refusalOf(levels(128))).toBe(levels(128));
    expect(refusalOf(levels(129))).toBe('1:129: nested deeper than 128 levels');
    expect(refusalOf(levels(100_000))).toBe('1:129: nested deeper than 128 levels');
    const objects = `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`;
    expect(refusalOf(objects)).toBe('1:641: nested deeper than 128 levels');
  });
});

describe('a place in JSON', () => {
  const text = '{ "a" : [ 1, {"b": "x\\"]},", "c\\n": null} ],\n "d": {"e": [[ ], 2]} , "f":-1.5e3}';
  it.each([
    [[], '{ "a"'],
    [['a'], '"a"'],
    [['a', 0], '1,'],
    [['a', 1], '{"b"'],
    [['a', 1, 'b'], '"b"'],
    [['a', 1, 'c\n'], '"c\\n"'],
    [['a', 1, 'nowhere', 'below'], '{"b"'],
    [['a', 7], '"a"'],
    [['a', 0, 'b'], '1,'],
    [['d', 'e', 0], '[ ]'],
    [['d', 'e', 0, 0], '[ ]'],
    [['d', 'e', 1], '2]'],
    [['f', 'g'], '"f"'],
    [['f'], '"f"'],
    [['g'], '{ "a"'],
  ])('%j', (path, start) => {
    const { line, column } = placeInJson(text, path);
    const found = text.split('\n')[line - 1]?.slice(column - 1) ?? '';
    expect(found.slice(0, start.length)).toBe(start);
  });
});
