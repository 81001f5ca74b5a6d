import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseAsWritten, parseJson, printJson } from '../../src/text/exact-json.js';
import { ExactNumber } from '../../src/text/exact-number.js';
import { jsonText, tokensOf } from '../api/numbers.js';

test.each([
  ['9007199254740993'],
  ['-9007199254740993'],
  ['1e999'],
  ['-1E+999'],
  ['1e-400'],
  ['0.1000000000000000055511151231257827'],
  ['123456789012345678901234567890'],
  ['1.7976931348623159e308'],
  ['-0'],
  ['-0.0e5'],
])('%s keeps its text', (text) => {
  for (const json of [text, `[${text}]`, `{"a":${text}}`]) expect(printJson(parseJson(json))).toBe(json);
  expect(parseJson(text)).toBeInstanceOf(ExactNumber);
});

test.each([
  ['1.0', 1],
  ['1e2', 100],
  ['-1.50E+1', -15],
  ['0e999', 0],
  ['9007199254740992', 2 ** 53],
  ['0.30000000000000004', 0.1 + 0.2],
  ['5e-324', 5e-324],
  ['1.7976931348623157e308', Number.MAX_VALUE],
])('%s is a double', (text, double) => {
  expect(parseJson(`[ ${text} ]`)).toEqual([double]);
});

it('prints the numbers of any text with the values that they came with', () => {
  fc.assert(
    fc.property(jsonText, fc.constantFrom(undefined, 2), (text, indent) => {
      // What JavaScript makes of the order of names is none of its business here.
      fc.pre(!/"\d+"\s*:/.test(text));
      expect(tokensOf(printJson(parseJson(text), indent))).toEqual(tokensOf(text));
    }),
    { numRuns: 200 },
  );
});

it('keeps the spelling of numbers on request, and of nothing else', () => {
  const json = '{"a":2.0,"b":[1E5,-0,1,2.5,"2.0"]}';
  expect(printJson(parseAsWritten(json))).toBe(json);
  expect(parseAsWritten('[1,2.5,"2.0"]')).toEqual([1, 2.5, '2.0']);
  expect(() => parseAsWritten('2.')).toThrow(SyntaxError);
});

describe('what JSON.parse refuses, or reads without changing a number', () => {
  test.each(['', '9007199254740993,', '[01234567890123456]', '[1234567890123456.]', '{9007199254740993:1}'])(
    '%j is not JSON',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );

  it('is the same for any text', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});

it('leaves prototypes alone', () => {
  const value = parseJson('{"__proto__":{"polluted":9007199254740993},"constructor":1e999}');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(printJson(value)).toBe('{"__proto__":{"polluted":9007199254740993},"constructor":1e999}');
});

it('refuses what is nested too deeply for the stack as no JSON', () => {
  const depth = 100_000;
  expect(() => parseJson(`${'['.repeat(depth)}1e999${']'.repeat(depth)}`)).toThrow(SyntaxError);
});

it('is the nearest double to those who know of no exact numbers', () => {
  const value = parseJson('[9007199254740993,1e999]');
  expect(JSON.stringify(value)).toBe('[9007199254740992,null]');
  expect(printJson({ value, none: undefined })).toBe('{"value":[9007199254740993,1e999]}');
  expect(printJson(undefined)).toBe('null');
});

it('does not take text for a number', () => {
  const text = '{"a":"1e999","1e999":"[9007199254740993]","b":[1e999,"\\"", ":1e999"]}';
  expect(printJson(parseJson(text))).toBe(text.replace(', ', ','));
});
