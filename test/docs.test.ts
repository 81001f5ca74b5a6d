import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../src/api/operations.js';
import { toReport } from '../src/cli/error-report.js';
import { exitCodeMeanings, exitCodes } from '../src/cli/exit.js';
import { settings } from '../src/profiles/settings/settings.js';
import { defaultLimits } from '../src/server/http/limits.js';
import { environmentVariables } from '../src/commands/help/topics.js';
import { root } from './support/built-tool.js';
import { codeBlock, codeBlocks, pages, pageText } from './support/pages.js';

const readme = pageText('README.md');

describe('docs/reference', () => {
  it('has every exit code and call of the API', () => {
    for (const [code] of exitCodeMeanings.slice(1)) {
      expect(pageText('docs/reference/exit-codes.md')).toContain(
        `\n| ${code && exitCodes[code]} | \`${code}\` |`,
      );
    }
    for (const { path } of operations()) {
      const collection = path.replace('/{id}', '');
      expect(pageText('docs/reference/not-in-the-api-reference.md')).toContain(`| \`${collection}\` |`);
    }
  });
});

describe('README', () => {
  it('is read in four minutes', () => {
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(950);
  });
});

describe('a page', () => {
  it.each(pages.filter((page) => page !== 'README.md'))('%s says first whom it is for', (page) => {
    const [title, , first] = pageText(page).split('\n');
    expect(title).toMatch(/^# \S/);
    expect(first).toMatch(/^For \S/);
  });

  it.each([...pages, 'CONTRIBUTING.md', 'SECURITY.md'])('%s links to what is there', (page) => {
    const links = [...pageText(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      if (/^https?:/.test(link)) return false;
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchors(target).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

/** The anchors of a page's headings, as GitHub makes them. */
function anchors(page: string): string[] {
  return [...pageText(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

it('the picture of README is there, and takes nobody long to load', () => {
  const paths = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => path);
  expect(paths).toHaveLength(1);
  for (const path of paths) expect(statSync(join(root, path)).size, path).toBeLessThan(150_000);
});

describe('the tables of exit codes and variables', () => {
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

it.each(pages)('%s names no source file or test that is not there', (page) => {
  const named = pageText(page).match(/\b(src|test)\/[\w/-]+(\.test)?\.ts\b/g) ?? [];
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

describe('a block of code', () => {
  /** The page and first words of each block that no test takes, and why. */
  const notRun: readonly (readonly [page: string, beginning: string, reason: string])[] = [
    [
      'docs/guides/proxy.md',
      '$ orgctl proxy -p prod',
      'needs a real service; test/commands/proxy.test.ts has its line',
    ],
    [
      'docs/guides/proxy.md',
      'orgctl local logs --proxy',
      'needs a proxy that runs; test/commands/proxy-console.test.ts asks one',
    ],
    [
      'docs/guides/proxy.md',
      '12:00:01 GET /teams',
      'lines of a log, as test/commands/proxy.test.ts has them',
    ],
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
  it('has the address for bugs that an internal error names, and brings the docs that help points to', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(manifest.files).toContain('docs');
    expect(toReport(new TypeError('x')).hint).toContain(manifest.bugs);
  });
});

it('the default of every limit is in its doc comment', () => {
  const source = readFileSync(join(root, 'src/server/http/limits.ts'), 'utf8');
  const told = source.matchAll(/[Dd]efault: ([\d,]+)\.(?:\n| \*\/)[^;]*?readonly (\w+): number/g);
  const defaults = Object.fromEntries(
    [...told].map(([, figure = '', name = '']) => [name, Number(figure.replaceAll(',', ''))]),
  );
  expect(defaults).toEqual(defaultLimits);
});
