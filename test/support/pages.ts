import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './built-tool.js';

export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .sort(),
];

export function pageText(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

function codeBlocks(page: string): string[] {
  return [...pageText(page).matchAll(/^```\w*\n([\s\S]*?)\n```$/gm)].map(([, text = '']) => text);
}

/** The only block with this beginning. */
export function codeBlock(page: string, beginning: string): string {
  const [block, another] = codeBlocks(page).filter((text) => text.startsWith(beginning));
  if (block !== undefined && another === undefined) return block;
  throw new Error(`${page} does not have exactly one block that begins with ${beginning}`);
}

/** Matches a page's sample output: IDs, ages, ports and directories vary, and `…` stands for anything. */
export function asShown(text: string): RegExp {
  const literal = (part: string) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&').replaceAll('\n', '\r?\n');
  const varying: readonly (readonly [RegExp, string])[] = [
    [/\b(key|conn|team|org)_[0-9a-f]{4,}/g, '$1_[0-9a-f]+'],
    [/\b\d+s$/gm, '\\d+s'],
    [/\/home\/ada\/\\\.local\/share/g, '/\\S+'],
    [/(?<=127\\\.0\\\.0\\\.1:)844[34]/g, '\\d+'],
    [/(?<=#t=)[\w-]+/g, '[\\w-]+'],
  ];
  const pattern = varying.reduce((all, [known, any]) => all.replace(known, any), literal(text));
  return new RegExp(pattern.replaceAll('…', '[\\s\\S]*?'));
}
