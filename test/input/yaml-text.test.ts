import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/errors/errors.js';
import { parseYaml } from '../../src/input/yaml-text.js';
import { printJson } from '../../src/text/exact-json.js';

function valueIn(text: string): unknown {
  return parseYaml(text, 'file')[0]?.value;
}

/** Why a text is refused, with its line and column. */
function refusalOf(text: string): string {
  try {
    valueIn(text);
    return 'none';
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message.replace('file:', '');
  }
}

/** Lines of maps or lists, each of which has the one before it several times. */
function growing(line: (name: string, before: string) => string, count: number): string {
  return ['a0: &a0 { x: y }', ...Array.from({ length: count }, (_, at) => line(`a${at + 1}`, `a${at}`))].join(
    '\n',
  );
}

describe('aliases', () => {
  it('stand for what their anchor last named, also in keys', () => {
    const text = '- &a one\n- *a\n- &a two\n- *a\n- { *a : x }\n';
    expect(valueIn(text)).toEqual(['one', 'one', 'two', 'two', { two: 'x' }]);
  });

  it('may be as many as a file of a thousand entries has', () => {
    const entries = Array.from({ length: 1000 }, (_, at) => `- { <<: *first, name: n${at} }`).join('\n');
    const value = valueIn(`- &first { name: first, config: &config { host: db, port: 5432 } }\n${entries}`);
    expect(value).toHaveLength(1001);
    expect(value).toMatchObject({ 1000: { name: 'n999', config: { host: 'db', port: 5432 } } });
  });

  it.each([
    ['nested in lists', growing((name, last) => `${name}: &${name} [*${last}, *${last}]`, 60), 18],
    ['merged', growing((name, last) => `${name}: &${name} { <<: [*${last}, *${last}] }`, 60), 18],
    ['of a long text', `- &a "${'x'.repeat(100_000)}"\n${'- *a\n'.repeat(100)}`, 43],
  ])('are counted before they are resolved: %s', (_how, text, line) => {
    expect(refusalOf(text)).toMatch(new RegExp(`^${line}:\\d+: too many aliases$`));
  });

  it.each([
    ['anchors', Array.from({ length: 5001 }, (_, at) => `- &a${at} x\n- *a${at}\n`).join('')],
    ['one anchor', `- &a x\n${'- *a\n'.repeat(5001)}`],
    ['merge keys', `- &a { b: c }\n- { ${'<<: *a, '.repeat(5001)}}`],
  ])('are at most 5000: of %s', (_what, text) => {
    expect(refusalOf(text)).toMatch(/^\d+:\d+: too many aliases$/);
  });

  it.each([
    ['a: *b', '1:4: an alias without its anchor; quote text that begins with *'],
    ['- *a\n- &a x', '1:3: an alias without its anchor; quote text that begins with *'],
    ['a: &a { b: [*a] }', '1:13: an alias that contains itself'],
    ['a: &a { <<: *a }', '1:13: an alias that contains itself'],
  ])('%j', (text, message) => {
    expect(refusalOf(text)).toBe(message);
  });
});

describe('merge keys', () => {
  it.each([
    ['x: &x { a: 1, b: 1 }\ny: { a: 2, <<: *x }', { a: 2, b: 1 }],
    ['x: &x { a: 1, b: 1 }\ny: { <<: *x, a: 2 }', { a: 2, b: 1 }],
    ['x: &x { a: 1 }\nz: &z { a: 2, b: 2 }\ny: { <<: [*x, *z] }', { a: 1, b: 2 }],
    ['x: &x { a: 1 }\nz: &z { a: 2, b: 2 }\ny: { <<: *x, <<: *z }', { a: 1, b: 2 }],
    ['x: [&x { a: 1 }, &z { b: 2 }]\nl: &l [*x, *z]\ny: { <<: *l }', { a: 1, b: 2 }],
    ['y: { <<: { a: 1, <<: { b: 2 } } }', { a: 1, b: 2 }],
    ['y: { "<<": 1 }', { '<<': 1 }],
    ['x: &x { __proto__: 1 }\ny: { <<: *x }', JSON.parse('{"__proto__":1}')],
  ])('%j', (text, y) => {
    expect(valueIn(text)).toHaveProperty('y', y);
  });

  it.each(['y: { <<: 1 }', 'x: &x [1]\ny: { <<: *x }', 'y: { <<: [{}, 1] }', 'y: { <<: }'])(
    'take no other value: %j',
    (text) => {
      expect(refusalOf(text)).toContain('a merge key (<<) needs a map or a list of maps');
    },
  );
});

describe('keys', () => {
  it.each([
    ['a: 1\nb: 2\na: 3', '3:1: duplicate key: the names of fields must be unique'],
    ['{ a: 1, "a": 2 }', '1:9: duplicate key: the names of fields must be unique'],
    ['- { x: { a: 1, a: 2 } }', '1:16: duplicate key: the names of fields must be unique'],
    ['? [a]\n: 1', '1:3: a list or a map cannot be a key'],
    ['&a { b: c }: 1\n*a : 2', '1:4: a list or a map cannot be a key'],
  ])('%j', (text, message) => {
    expect(refusalOf(text)).toBe(message);
  });
});

describe('the depth', () => {
  const levels = (open: string, close: string, count: number) => open.repeat(count) + close.repeat(count);
  const block = (count: number) => Array.from({ length: count }, (_, at) => `${' '.repeat(at)}a:`).join('\n');

  it('may be 128 levels', () => {
    expect(refusalOf(levels('[', ']', 128))).toBe('none');
    expect(refusalOf(block(128))).toBe('none');
  });

  it.each([
    ['flow lists', levels('[', ']', 129)],
    ['flow maps', `${'{ a: '.repeat(129)}1${'}'.repeat(129)}`],
    ['pairs in flow lists', levels('[a: ', ']', 65)],
    ['block maps', block(129)],
    ['block lists', `${'- '.repeat(3000)}x`],
    ['keys', `${'? '.repeat(3000)}x`],
    ['aliases', `- &a ${levels('[', ']', 100)}\n- ${'['.repeat(28)}*a${']'.repeat(28)}`],
    ['aliases in aliases', growing((name, before) => `${name}: &${name} [*${before}]`, 200)],
  ])('may not be more: %s', (_what, text) => {
    expect(refusalOf(text)).toMatch(/^\d+:\d+: nested deeper than 128 levels$/);
  });
});

describe('what is long', () => {
  it('is refused: JSON takes less time and memory', () => {
    expect(refusalOf(`[${'a,'.repeat(1_100_000)}]`)).toBe(
      ' more than 2 MB of YAML; use JSON, which has no such limit',
    );
  });

  it('is refused for its first problem, however many there are', () => {
    expect(refusalOf(`a: "${'\\q'.repeat(50_000)}"`)).toBe(
      '1:5: neither JSON nor YAML: Invalid escape sequence',
    );
    expect(refusalOf(`a: b\n${']'.repeat(50_000)}`)).toMatch(/^2:1: neither JSON nor YAML: Unexpected/);
    expect(refusalOf(']'.repeat(100_000))).toMatch(/^1:1: neither JSON nor YAML: Unexpected/);
  });

  it('is refused as a number of very many hexadecimal digits', () => {
    expect(refusalOf(`a: 0x${'f'.repeat(500_000)}`)).toContain('1:4: a number that JSON cannot express');
  });
});

describe('numbers', () => {
  it.each([
    ['12345678901234567890', '12345678901234567890'],
    ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
    ['1e999', '1e999'],
    ['0x1F', '31'],
    ['+007', '7'],
    ['.5', '0.5'],
  ])('%s is sent as %s', (text, json) => {
    expect(printJson(valueIn(`a: ${text}`))).toBe(`{"a":${json}}`);
  });

  it.each(['.inf', '.nan', '0x20000000000001', '+1e999'])('%s is refused', (text) => {
    expect(refusalOf(`a: ${text}`)).toBe('1:4: a number that JSON cannot express; quote it if it is text');
  });
});

describe('fields that begin with x-', () => {
  it('are dropped from the outermost map, because they are for anchors', () => {
    const text = 'x-defaults: &defaults { type: pg }\nteams:\n  - { <<: *defaults, x-y: 1 }\n';
    expect(valueIn(text)).toEqual({ teams: [{ type: 'pg', 'x-y': 1 }] });
  });
});
