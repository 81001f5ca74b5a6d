import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../src/api/operations.js';
import { toReport } from '../src/cli/error-report.js';
import { exitCodeMeanings, exitCodes } from '../src/cli/exit.js';
import { settings } from '../src/profiles/settings/settings.js';
import { environmentVariables } from '../src/verbs/help/topics.js';
import { root } from './support/built-tool.js';
import { allCommands } from './support/command-tree.js';
import { codeBlock, codeBlocks, pages, pageText } from './support/pages.js';

const readme = pageText('README.md');

/** The rows of the table in README whose first column has this heading, without heading and ruler; their cells. */
function tableOf(heading: string): string[][] {
  const tables = readme.split(/\n(?!\|)/).map((block) =>
    block
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );
  const table = tables.find(([head]) => head?.[0] === heading);
  if (table === undefined) throw new Error(`README.md has no table whose first column is "${heading}"`);
  return table.slice(2);
}

/** The texts in backticks of each row's first cell. */
function firstCells(heading: string): string[] {
  return tableOf(heading).flatMap(([cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? ''),
  );
}

/** `orgctl connections get <id…>` names `orgctl connections get`. */
function withoutArguments(line: string): string {
  return line.replace(/ [<[-].*$/, '');
}

describe('README', () => {
  it('lists every command once in the table of commands, and none that is not there', async () => {
    const commands = (await allCommands()).filter(({ isLeaf, hidden }) => isLeaf && !hidden);
    const listed = firstCells('command').map(withoutArguments);
    const lines = commands.map(({ line }) => line);
    expect({
      missing: lines.filter((line) => !listed.includes(line)),
      unknown: listed.filter((line) => !lines.includes(line)),
      twice: listed.filter((line, at) => listed.indexOf(line) !== at),
    }).toEqual({ missing: [], unknown: [], twice: [] });
  });

  it('has the exit codes of src/cli/exit.ts, number and code', () => {
    const listed = tableOf('exit').map((cells) => cells.slice(0, 2).map((cell) => cell.replaceAll('`', '')));
    const known = exitCodeMeanings.map(([code]) =>
      code === undefined ? ['0', ''] : [String(exitCodes[code]), code],
    );
    expect(listed).toEqual(known);
  });

  it('has every call of the API, and says which of them the reference describes', () => {
    const collections = [...new Set(operations().map(({ path }) => path.replace(/\/\{id\}$/, '')))];
    const known = collections.map((collection) => {
      const source = (method: string, isItem: boolean) => {
        const path = isItem ? `${collection}/{id}` : collection;
        const call = operations().find((one) => one.method === method && one.path === path);
        return call === undefined ? '' : `[${call.source}]`;
      };
      const paths = operations().flatMap(({ path }) =>
        path === collection || path === `${collection}/{id}` ? [`\`${path}\``] : [],
      );
      return [
        [...new Set(paths)].join(', '),
        source('GET', false),
        source('POST', false),
        source('GET', true),
        source('PATCH', true),
        source('DELETE', true),
      ];
    });
    expect(tableOf('calls of')).toEqual(known);
  });

  it('has the variables of "orgctl help environment"', () => {
    const known = environmentVariables.flatMap(([names]) => names.split(', '));
    const listed = firstCells('variable');
    expect({
      missing: known.filter((name) => !listed.includes(name)),
      unknown: listed.filter((name) => !known.includes(name)),
    }).toEqual({ missing: [], unknown: [] });
  });
});

describe('the pictures of README', () => {
  it('are there, and take nobody long to load', () => {
    const paths = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => path);
    expect(paths).toContain('docs/console.png');
    for (const path of paths) expect(statSync(join(root, path)).size, path).toBeLessThanOrEqual(150 * 1024);
  });
});

describe('the tables that README is held against', () => {
  it('have a meaning for every exit code, in the order of its number', () => {
    const numbers = exitCodeMeanings.map(([code]) => (code === undefined ? 0 : exitCodes[code]));
    expect(numbers).toEqual([0, ...Object.values(exitCodes)]);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });

  it('have every variable that the sources look up', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join(root, 'src', path), 'utf8'));
    const lookedUp = sources.flatMap((text) =>
      [...text.matchAll(/\benv\??\.?\[['"]([A-Z_]+)['"]\]/g)].map(([, name]) => name),
    );
    const ofSettings = Object.values(settings).flatMap((setting) => ('env' in setting ? [setting.env] : []));
    const known = environmentVariables.flatMap(([names]) => names.split(', '));
    expect(lookedUp.length).toBeGreaterThan(5);
    expect(
      [...new Set([...lookedUp, ...ofSettings])].filter((name) => name && !known.includes(name)),
    ).toEqual([]);
  });
});

it.each(pages)('%s names no source file that is not there', (page) => {
  const named = pageText(page).match(/\bsrc\/[\w/-]+\.ts\b/g) ?? [];
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

describe('a block of code', () => {
  const figures = 'figures of "npm run bench" on a quiet machine';
  /** The page and first words of each block that no test takes, and why. */
  const notRun: readonly (readonly [page: string, beginning: string, reason: string])[] = [
    [
      'docs/contributing/performance.md',
      'measured                                      median                  baseline ',
      figures,
    ],
    ['docs/contributing/performance.md', 'measured                                        median', figures],
    ['docs/contributing/performance.md', 'npm run build', 'measures for minutes'],
    ['docs/contributing/performance.md', 'measured                                     median', figures],
    [
      'docs/contributing/performance.md',
      'measured                                       median                        baseline',
      figures,
    ],
    [
      'docs/guides/proxy.md',
      '$ orgctl proxy -p prod',
      'needs a real service; test/commands/proxy.test.ts has its line',
    ],
    ['docs/guides/scaling.md', 'stream {', 'needs nginx and three machines'],
  ];

  it.each(pages)('of %s is run by a test, unless it says here why not', (page) => {
    const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
    const taken = tests
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => readFileSync(join(root, 'test', path), 'utf8'))
      .filter((text) => text.includes(`'${page}'`))
      .flatMap((text) => [...text.matchAll(/codeBlock\(\s*\S+?, (['"])(.+?)\1\)/g)])
      .map(([, , beginning = '']) => beginning);
    const known = notRun.flatMap(([of, beginning]) => (of === page ? [beginning] : []));
    // Each of them has to be there.
    for (const beginning of known) codeBlock(page, beginning);
    const left = codeBlocks(page).filter((text) => ![...taken, ...known].some((all) => text.startsWith(all)));
    expect(left).toEqual([]);
  });

  it.each(pages)('of %s runs no script that package.json has not', (page) => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const named = [...pageText(page).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, script]) => script);
    expect(named.filter((script) => !Object.keys(scripts).includes(String(script)))).toEqual([]);
  });
});

describe('package.json', () => {
  it('names the manual page of every command: npm run build writes the list', async () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const commands = (await allCommands()).filter(({ hidden }) => !hidden);
    const pages = commands.map(({ line }) => `./dist/man/${line.replaceAll(' ', '-')}.1`);
    expect(manifest.man).toEqual(pages.sort());
  });

  it('has the address for bugs that an internal error names, and brings the docs that help points to', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(manifest.files).toContain('docs');
    expect(toReport(new TypeError('x')).hint).toContain(manifest.bugs);
  });
});
