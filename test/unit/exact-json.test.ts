import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseAsWritten, parseJson, printJson } from '../../src/text/exact-json.js';
import { anyText } from './support/any-text.js';

/** Numbers in JSON's grammar, most of them such as a double would change. */
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,3}$/), fc.stringMatching(/^[1-9]\d{14,30}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,3}$/), fc.stringMatching(/^\.\d{14,30}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?\d{1,3}$/)),
  )
  .map((parts) => parts.join(''));

const space = fc.constantFrom('', '', ' ', '\n\t', '\r\n');
const nameText = fc
  .oneof(
    fc.constantFrom('__proto__', 'constructor', 'toJSON', 'a', '1e999', ':9007199254740993', '\\', '"'),
    anyText(),
  )
  .map((name) => JSON.stringify(name));

/** JSON texts, with spaces where they may be. */
const jsonText = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    numberText,
    nameText,
    fc.constantFrom('true', 'false', 'null'),
    tie('list'),
    tie('object'),
  ),
  list: fc
    .tuple(space, fc.array(tie('value'), { maxLength: 4 }))
    .map(([gap, items]) => `[${gap}${items.join(`${gap},${gap}`)}${gap}]`),
  object: fc
    .tuple(space, fc.uniqueArray(nameText, { maxLength: 4 }), fc.array(tie('value'), { minLength: 4 }))
    .map(([gap, names, values]) => {
      const fields = names.map((name, at) => `${name}${gap}:${gap}${values[at] ?? 'null'}`);
      return `{${gap}${fields.join(`${gap},${gap}`)}${gap}}`;
    }),
})).value;

/** The tokens of a JSON text: strings and names as they are meant, numbers by their values, without spaces. */
function tokensOf(json: string): string[] {
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[^\s"]/gs) ?? [];
  return tokens.map((token) => {
    if (token.startsWith('"')) return `text ${JSON.parse(token)}`;
    return /^-?\d/.test(token) ? exactValue(token) : token;
  });
}

/** A number's value as a fraction of integers, for any spelling; zero keeps its sign. */
function exactValue(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const scale = Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  if (digits === 0n) return `${sign}0`;
  // Beyond all scales that are tried here.
  return `${sign}${digits * 10n ** BigInt(scale + 2000)}`;
}

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
