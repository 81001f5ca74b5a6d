import fc from 'fast-check';
import { anyText } from './any-text.js';

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
export const jsonText = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
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
export function tokensOf(json: string): string[] {
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
