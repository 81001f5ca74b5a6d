import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The sources of a tree: each file's path, and its text. */
export function readSources(tree: string): ReadonlyMap<string, string> {
  const paths = ['src', 'build'].flatMap((folder) =>
    readdirSync(join(tree, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(tree, folder, path),
    ),
  );
  const files = paths.filter((path) => /\.[jt]sx?$/.test(path) && !path.includes('node_modules'));
  return new Map(files.map((path) => [path, readFileSync(path, 'utf8')]));
}

/** The file that has this text, if it occurs once: a fault keeps its place when files are moved. */
export function placeOf(sources: ReadonlyMap<string, string>, text: string): string | undefined {
  const found = [...sources].filter(([, source]) => source.includes(text));
  const [[path, source] = ['', '']] = found;
  return found.length === 1 && source.split(text).length === 2 ? path : undefined;
}
