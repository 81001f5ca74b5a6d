import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './built-tool.js';

/** The pages that are for readers, from the root: README.md and all of docs/. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export function pageText(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

/** The blocks of code of a page, without their fences. */
export function codeBlocks(page: string): string[] {
  return [...pageText(page).matchAll(/^```\w*\n([\s\S]*?)\n```$/gm)].map(([, text = '']) => text);
}

/**
 * The one block of a page that begins so. Whoever takes it runs it, or holds it against what runs: test/docs.test.ts
 * looks for these calls, and wants one for each block.
 */
export function codeBlock(page: string, beginning: string): string {
  const [block, another] = codeBlocks(page).filter((text) => text.startsWith(beginning));
  if (block !== undefined && another === undefined) return block;
  throw new Error(`${page} has not one block that begins with ${beginning}`);
}

/**
 * What a page shows of a run, as an expression: IDs, ages, ports and directories are others each time, and `…` stands for
 * anything.
 */
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
