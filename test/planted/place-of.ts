import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file of a tree whose sources have this text, once: a fault stays in its place when files are moved. */
export function placeOf(tree: string, text: string): string | undefined {
  const places = ['src', 'build'].flatMap((folder) =>
    readdirSync(join(tree, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.[jt]s$/.test(path))
      .map((path) => join(tree, folder, path))
      .flatMap((path) => Array<string>(readFileSync(path, 'utf8').split(text).length - 1).fill(path)),
  );
  return places.length === 1 ? places[0] : undefined;
}
