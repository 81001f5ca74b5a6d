import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseAsWritten, parseJson, printJson } from '../../src/text/exact-json.js';
import { jsonText, tokensOf } from './support/numbers.js';

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

it('is the same as JSON.parse to those who know of no exact numbers', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
  expect(JSON.stringify(parseJson('[9007199254740993,1e999]'))).toBe('[9007199254740992,null]');
});

it('keeps the spelling of numbers on request, and of nothing else', () => {
  const json = '{"a":2.0,"b":[1E5,-0,1,2.5,"2.0"]}';
  expect(printJson(parseAsWritten(json))).toBe(json);
  expect(parseAsWritten('[1,2.5,"2.0"]')).toEqual([1, 2.5, '2.0']);
});

it('leaves prototypes alone', () => {
  const value = parseJson('{"__proto__":{"polluted":9007199254740993},"constructor":1e999}');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

it.each(['', '9007199254740993,', '[01234567890123456]', `${'['.repeat(1e5)}1e999${']'.repeat(1e5)}`])(
  'refuses what is no JSON, or is nested too deeply for the stack',
  (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  },
);
