import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiPage } from '../../build/site/api-page.js';
import { findDeadLinks } from '../../build/site/dead-links.js';
import { operations } from '../../src/api/operations.js';

it('finds links to pages, files and anchors that a site does not have', () => {
  const site = mkdtempSync(join(tmpdir(), 'orgctl-site-'));
  mkdirSync(join(site, 'guides'));
  const page = (...links: string[]) =>
    `<h1 id="top">Top</h1>${links.map((link) => `<a href="${link}">x</a>`).join('')}<img src="no.png">`;
  writeFileSync(
    join(site, 'index.html'),
    page('guides/ci.html#top', '#top', 'https://example.com/x', '#gone'),
  );
  writeFileSync(join(site, 'guides/ci.html'), page('../index.html', 'index.html', '../index.html#gone'));
  expect(findDeadLinks(site).sort()).toEqual([
    ...['guides/ci.html: ../index.html#gone', 'guides/ci.html: index.html', 'guides/ci.html: no.png'],
    ...['index.html: #gone', 'index.html: no.png'],
  ]);
});

it('has every call of the API on its page, and no link to a schema that is not there', () => {
  const { text } = apiPage('reference');
  for (const { method, path } of operations()) expect(text).toContain(`\n### ${method} ${path}\n`);
  const anchors = [...text.matchAll(/^#+ (\S+)$/gm)].map(([, heading = '']) => `#${heading.toLowerCase()}`);
  const links = [...text.matchAll(/\]\((#[^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
});
