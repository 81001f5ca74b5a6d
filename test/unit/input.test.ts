import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/errors/errors.js';
import { MalformedText, parseInputJson } from '../../src/input/json-text.js';
import { parseYaml } from '../../src/input/yaml-text.js';
import { printJson } from '../../src/text/exact-json.js';

const yaml = (text: string): unknown => parseYaml(text, 'file')[0]?.value;
const json = (text: string): unknown => parseInputJson(text, 'file');

/** Why a text is refused, with its line and column. */
function refusalOf(read: (text: string) => unknown, text: string): string {
  try {
    return JSON.stringify(read(text)) ?? 'not JSON';
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof MalformedText)) throw error;
    return error.message.replace('file:', '');
  }
}

/** Lines of maps or lists, each of which has the one before it several times. */
function growing(line: (name: string, before: string) => string, count: number): string {
  const lines = Array.from({ length: count }, (_, at) => line(`a${at + 1}`, `a${at}`));
  return ['a0: &a0 { x: y }', ...lines].join('\n');
}

const duplicate = 'duplicate key: the names of fields must be unique';
const levels = (open: string, close: string, count: number) => open.repeat(count) + close.repeat(count);

describe('JSON that a person wrote', () => {
  it('is what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2, '\t'), (text, indent) => {
        const indented = JSON.stringify(JSON.parse(text), null, indent);
        expect(JSON.stringify(json(indented))).toBe(JSON.stringify(JSON.parse(indented)));
      }),
    );
  });

  it.each([
    ['{"a":1,"a":2}', `1:8: ${duplicate}`],
    ['{\n  "a": {"b": 1},\n  "c": [{"b": 1, "d": "a", "b": 2}]\n}', `3:28: ${duplicate}`],
    ['{"a":1,"\\u0061":2}', `1:8: ${duplicate}`],
    ['{"__proto__":1,"__proto__":2}', `1:16: ${duplicate}`],
    ['{"a":{"b":1},"b":{"a":"\\"","c":"{"},"c":["a","a"]}', expect.not.stringContaining('duplicate')],
    ['{"a":1', 'not JSON'],
  ])('%s', (text, expected) => {
    expect(refusalOf(json, text)).toEqual(expected);
  });

  it('may be 128 levels deep, and not more', () => {
    expect(refusalOf(json, levels('[', ']', 128))).toBe(levels('[', ']', 128));
    expect(refusalOf(json, levels('[', ']', 100_000))).toBe('1:129: nested deeper than 128 levels');
  });
});

describe('YAML', () => {
  it.each([
    ['nested in lists', growing((name, last) => `${name}: &${name} [*${last}, *${last}]`, 60)],
    ['in a long chain', growing((name, last) => `${name}: &${name} [*${last}]`, 200)],
    ['merged', growing((name, last) => `${name}: &${name} { <<: [*${last}, *${last}] }`, 60)],
  ])('cannot make a small text a huge one: aliases %s', (_how, text) => {
    expect(refusalOf(yaml, text)).toBe('1:1: too many aliases');
  });

  it.each([
    ['a: *b', '1:4: an alias without its anchor; quote text that begins with *'],
    ['a: &a { b: [*a] }', '1:1: nested deeper than 128 levels'],
    ['a: 1\nb: 2\na: 3', `3:1: ${duplicate}`],
    ['- { x: { a: 1, a: 2 } }', `1:16: ${duplicate}`],
    ['? [a]\n: 1', '1:3: a list or a map cannot be a key'],
    ['&a { b: c }: 1\n*a : 2', '1:4: a list or a map cannot be a key'],
    [`[${'a,'.repeat(1_100_000)}]`, ' more than 2 MB of YAML; use JSON, which has no such limit'],
  ])('%j', (text, message) => {
    expect(refusalOf(yaml, text)).toBe(message);
  });

  it.each([
    ['x: &x { a: 1, b: 1 }\ny: { <<: *x, a: 2 }', { a: 2, b: 1 }],
    ['x: &x { a: 1 }\nz: &z { a: 2, b: 2 }\ny: { <<: [*x, *z] }', { a: 1, b: 2 }],
    ['y: { <<: { a: 1, <<: { b: 2 } } }', { a: 1, b: 2 }],
    ['x: &x { __proto__: 1 }\ny: { <<: *x }', JSON.parse('{"__proto__":1}')],
  ])('has merge keys: %j', (text, y) => {
    expect(yaml(text)).toHaveProperty('y', y);
  });

  it.each([
    ['flow lists', levels('[', ']', 129)],
    ['flow maps', `${'{ a: '.repeat(129)}1${'}'.repeat(129)}`],
    ['pairs in flow lists', levels('[a: ', ']', 65)],
    ['block maps', Array.from({ length: 129 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
    ['block lists', `${'- '.repeat(3000)}x`],
    ['keys', `${'? '.repeat(3000)}x`],
    ['aliases', `- &a ${levels('[', ']', 100)}\n- ${'['.repeat(28)}*a${']'.repeat(28)}`],
  ])('is at most 128 levels deep: %s', (_what, text) => {
    expect(refusalOf(yaml, text)).toMatch(/^\d+:\d+: nested deeper than 128 levels$/);
  });

  it.each([
    ['12345678901234567890', '12345678901234567890'],
    ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
    ['1e999', '1e999'],
    ['0x1F', '31'],
    ['+007', '7'],
  ])('has exact numbers: %s is sent as %s', (text, sent) => {
    expect(printJson(yaml(`a: ${text}`))).toBe(`{"a":${sent}}`);
  });

  it.each(['.inf', '.nan', '0x20000000000001', '+1e999'])('has no number %s', (text) => {
    const message = '1:4: a number that JSON cannot express; quote it if it is text';
    expect(refusalOf(yaml, `a: ${text}`)).toBe(message);
  });
});
