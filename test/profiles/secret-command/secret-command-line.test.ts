import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { makeInvocation } from '../../../src/profiles/secret-command/secret-command-line.js';

const plain: readonly (readonly [string, readonly string[]])[] = [
  ['pass show orgctl', ['pass', 'show', 'orgctl']],
  ['  pass\tshow  orgctl ', ['pass', 'show', 'orgctl']],
  ['op read op://vault/item/field', ['op', 'read', 'op://vault/item/field']],
  ["op read 'op://my vault/item'", ['op', 'read', 'op://my vault/item']],
  ['op read "op://my vault/item"', ['op', 'read', 'op://my vault/item']],
  [`get a"b c"'d "e'f`, ['get', 'ab cd "ef']],
  [`get '' ""`, ['get', '', '']],
  [`get 'a\nb' "c\nd"`, ['get', 'a\nb', 'c\nd']],
  ["get '$HOME' 'a|b' '`x`' '\\'", ['get', '$HOME', 'a|b', '`x`', '\\']],
  ['vault kv get -field=secret a/b', ['vault', 'kv', 'get', '-field=secret', 'a/b']],
];

const forTheShell = [
  'cat secret | tr -d x',
  'cat <file',
  'a; b',
  'a & b',
  'a\nb',
  'echo $HOME',
  'echo "$HOME"',
  'echo `x`',
  'echo "`x`"',
  'echo a\\ b',
  'echo "a\\"b"',
  'echo *',
  'echo a?',
  'echo [ab]',
  'cat ~/secret',
  'NAME=value command',
  'echo {a,b}',
  'echo # comment',
  '(a)',
  '! a',
  "echo 'open",
  'echo ä',
];

describe('a command line', () => {
  test.each(plain)('of plain words is split as sh does, and run without it: %s', (line, [file, ...args]) => {
    expect(makeInvocation(line, 'linux')).toEqual({ file, args, shell: false });
    const script = `for word in ${line}; do printf '%s\\0' "$word"; done`;
    const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
    expect(words).toEqual([file, ...args]);
  });

  test.each(forTheShell)('that means more to sh is left to it: %j', (line) => {
    expect(makeInvocation(line, 'linux')).toEqual({ file: line, args: [], shell: true });
  });

  test('is for cmd on Windows, words are not', () => {
    expect(makeInvocation('op read x', 'win32')).toEqual({ file: 'op read x', args: [], shell: true });
    expect(makeInvocation(['op', '$HOME'], 'win32')).toEqual({ file: 'op', args: ['$HOME'], shell: false });
  });
});
