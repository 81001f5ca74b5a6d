import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Links in a rendered site's pages to missing files or anchors, each as `PAGE: LINK`. */
export function findDeadLinks(site: string): string[] {
  const names = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  const pages = new Map(names.map((name) => [name, readFileSync(join(site, name), 'utf8')]));
  return [...pages].flatMap(([name, text]) => {
    const links = [...text.matchAll(/\b(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);
    return [...new Set(links)]
      .filter((link) => isDead(site, pages, name, link))
      .map((link) => `${name}: ${link}`);
  });
}

function isDead(site: string, pages: ReadonlyMap<string, string>, from: string, link: string): boolean {
  if (/^(https?|mailto|data):/.test(link)) return false;
  const [path = '', anchor] = decodeURIComponent(link).split('#');
  const target = path === '' ? from : normalize(join(dirname(from), path));
  if (!existsSync(join(site, target))) return true;
  return Boolean(anchor) && pages.has(target) && !pages.get(target)?.includes(`id="${anchor}"`);
}
