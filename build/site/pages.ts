import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A Markdown page and its path in the project. */
export type Page = { readonly path: string; readonly text: string };

/** README, and the pages to which its table of documentation links. The menu has the same order as the table. */
export function readPages(root: string): Page[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const readme = read('README.md');
  const rows = [...readme.matchAll(/^\| ([\w ]+) \| (\[.+) \|$/gm)];
  const pages = rows.flatMap(([, group = '', links = '']) =>
    [...links.matchAll(/\[(.+?)\]\((.+?)\)/g)].map(([, name = '', path = '']) =>
      toPage(path, group, name, read(path)),
    ),
  );
  return [{ path: 'README.md', text: readme.replace(/^# .+\n+/, '') }, ...pages];
}

/** Adds a page's place in the menu as front matter. */
export function toPage(path: string, group: string, name: string, markdown: string): Page {
  return { path, text: `---\ntitle: ${capitalize(name)}\ngroup: ${capitalize(group)}\n---\n${markdown}` };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
