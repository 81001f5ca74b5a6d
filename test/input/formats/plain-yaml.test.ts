import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlainYaml } from '../../../src/input/formats/plain-yaml.js';
import { parseYamlText } from '../../../src/input/formats/yaml-text.js';
import { plainValue } from '../../../src/input/formats/yaml-value.js';
import { codeBlock } from '../../support/pages.js';

/** What YAML's own parser makes of a text; `undefined` where it refuses it. */
function ofParser(text: string): unknown {
  try {
    const { documents, placeAt } = parseYamlText(text);
    const [value = null, ...more] = documents.map((document) => plainValue(document, placeAt));
    return more.length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

const words =
  'a b-c null true no ~ 1 -1 01 1.5 1e3 0x1f 0o7 .inf 1_000 10.0.0.1 é {} [] "q" \'q\' "\\n" \'\'';
const signs = '*a | > a:b - --- ... %x << __proto__ @a ` ? +1 2026-01-01';
const spaced = 'x y|{ env: A }|{ a: 1, b: c }|{a: b}|[ a ]|&a x|!t x|a: b|a #b|- a'.split('|');
const piece = fc.constantFrom(...`${words} ${signs}`.split(' '), ...spaced, ' a', 'a ', '\tb', 'a\r');
const indent = fc.constantFrom('', '', '  ', '  ', '    ', ' ');
const key = fc.option(piece, { nil: '' }).map((text) => text && `${text}:`);
const value = fc.option(piece, { nil: '' }).map((text) => text && ` ${text}`);
const line = fc.tuple(indent, fc.constantFrom('', '- ', '- - '), key, value).map((parts) => parts.join(''));
const texts = fc.array(line, { maxLength: 6 }).map((all) => all.join('\n'));

describe('YAML of the plainest form', () => {
  it("is read as YAML's own parser reads it, or not at all", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const value = readPlainYaml(text);
        if (value !== undefined) expect({ text, value }).toEqual({ text, value: ofParser(text) });
      }),
      { numRuns: 200 },
    );
  });

  it('is that of the page', () => {
    const file = codeBlock('docs/guides/organization-file.md', '# yaml-language-server');
    expect(readPlainYaml(file)).toEqual(ofParser(file));
    expect(readPlainYaml(file)).toHaveProperty('connections');
  });

  it.each([999_999_999_999_999, -999_999_999_999_999])('has integers of up to 15 digits: %i', (number) => {
    expect(readPlainYaml(`a: ${number}`)).toEqual({ a: number });
  });

  const others = [
    'a: &b c',
    'a: |\n  b',
    'a: b\n c',
    'a: 1\na: 2',
    '- a\nb: c',
    'a: b # c',
    '<<: *a',
    'a:\tb',
    // More digits than every number in JavaScript can have.
    'a: 9007199254740993',
    'a: -9007199254740993',
  ];
  it.each([...others, 'a:\n\tb:', 'a:\n\u00a0b: 1', 'a:\n \tb: 1'])('is not %j', (text) => {
    expect(readPlainYaml(text)).toBeUndefined();
  });
});
