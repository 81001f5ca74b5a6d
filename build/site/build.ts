import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiPage } from './api-page.js';
import { findDeadLinks } from './dead-links.js';
import { readPages } from './pages.js';

// `npm run site` renders README, docs/ and the libraries' exports into dist-site/, which works without a server.

const root = fileURLToPath(new URL('../..', import.meta.url));
const out = join(root, 'dist-site');
const pages = [...readPages(root), apiPage('reference')];
const staged = mkdtempSync(join(root, 'dist-site-'));
try {
  stage();
  render();
} finally {
  rmSync(staged, { recursive: true });
}
const dead = findDeadLinks(out);
if (dead.length > 0) throw new Error(`dead links:\n${dead.join('\n')}`);

/** Copies pages and adds front matter for the menu, which GitHub would show as a table in the originals. */
function stage(): void {
  for (const { path, text } of pages) {
    mkdirSync(dirname(join(staged, path)), { recursive: true });
    writeFileSync(join(staged, path), text);
  }
  copyFileSync(join(root, 'docs/recording.svg'), join(staged, 'docs/recording.svg'));
}

function render(): void {
  const documents = pages.filter(({ path }) => path !== 'README.md').map(({ path }) => join(staged, path));
  const args = ['--options', 'build/site/typedoc.json', '--out', out, '--readme', join(staged, 'README.md')];
  const named = documents.flatMap((path) => ['--projectDocuments', path]);
  execFileSync(process.execPath, [join(root, 'build/tools/run.js'), 'typedoc', ...args, ...named], {
    cwd: root,
    stdio: 'inherit',
  });
}
