import { describe, expect, it } from 'vitest';
import { parseInputJson, placeInJson } from '../../src/input/json-text.js';
import { parseYaml } from '../../src/input/yaml-text.js';
import { growthComplaint } from '../support/cpu-growth.js';

type Shape = (length: number) => string;

const repeat =
  (piece: string, start = '', end = ''): Shape =>
  (length) =>
    start + piece.repeat(Math.floor(length / piece.length)) + end;
const lines =
  (line: (at: number) => string, first = ''): Shape =>
  (length) => {
    const all = [first];
    for (let at = 0, size = 0; size < length; at += 1) size += all[all.push(line(at)) - 1]?.length ?? 0;
    return all.join('\n');
  };

/** What has once cost a parser of YAML more than its length, and its like. Aliases are limited by their number. */
const shapes: Readonly<Record<string, Shape>> = {
  keys: lines((at) => `k${at}: v`),
  'keys in a flow map': repeat('k: v, ', '{', '}'),
  'aliases of aliases': lines((at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`, 'a0: &a0 [x]'),
  'merges of merges': lines((at) => `a${at + 1}: &a${at + 1} {<<: [*a${at}, *a${at}]}`, 'a0: &a0 {x: y}'),
  documents: repeat('---\na\n'),
  comments: repeat('# c\n', '', 'a: b\n'),
  'blank lines': repeat('\n', 'a: b\n', 'c: d\n'),
  tabs: repeat('\t', 'a:', 'b\n'),
  'lines of tabs': repeat('\t\n', 'a: b\n'),
  'a long line': repeat('word ', 'a: '),
  'long lines': repeat('  word word word\n', 'a:\n'),
  'a quoted text': repeat('x', 'a: "', '"'),
  'a quoted text of lines': repeat('x\n ', 'a: "', '"'),
  'escape sequences': repeat('\\n', 'a: "', '"'),
  'wrong escape sequences': repeat('\\q', 'a: "', '"'),
  'a text that does not end': repeat('x\n', 'a: "'),
  'block scalars': repeat('- |\n  x\n'),
  'a block scalar': repeat('  x\n', 'a: |\n'),
  'a folded scalar': repeat('  x\n   y\n', 'a: >\n'),
  'a block scalar of blank lines': repeat('\n', 'a: |\n', '  x\n'),
  'a list that does not end': repeat('a,', '['),
  'nested lists': repeat('['),
  'nested maps': (length) =>
    Array.from({ length: Math.floor(Math.sqrt(2 * length)) }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
  dashes: repeat('- '),
  brackets: repeat(']'),
  'empty items': repeat(',', '['),
  'wrong lines': repeat('a: b: c\n'),
  directives: repeat('%YAML 1.2\n', '', '---\na'),
  numbers: repeat('- 1\n'),
  'a long number': repeat('1', 'a: '),
  'a long hexadecimal number': repeat('f', 'a: 0x'),
};

function readYaml(text: string): void {
  parseYaml(text, 'file');
}

const maxLength = 131_072;

describe('the time that a reader of files takes grows as the text does', () => {
  it.each(Object.entries(shapes))('YAML: %s', async (_name, shape) => {
    expect(await growthComplaint(readYaml, shape, maxLength)).toBeUndefined();
  });

  it.each<[string, Shape]>([
    ['objects', repeat('{"a":1},', '[', '0]')],
    [
      'names',
      (length) =>
        JSON.stringify(Object.fromEntries(Array.from({ length: length / 8 }, (_, at) => [`k${at}`, 1]))),
    ],
    ['a long string', repeat('\\"', '["', '"]')],
    ['white space', repeat(' ', '[', '1]')],
    ['nested lists', (length) => '['.repeat(length) + ']'.repeat(length)],
  ])('JSON: %s', async (_name, shape) => {
    expect(
      await growthComplaint((text) => parseInputJson(text, 'file'), shape, 2 * maxLength),
    ).toBeUndefined();
    const find = (text: string) => placeInJson(text, [1_000_000, 'nowhere']);
    expect(await growthComplaint(find, shape, 2 * maxLength)).toBeUndefined();
  });
});
