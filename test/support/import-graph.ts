import { dirname } from 'node:path/posix';
import type { Import, SourceFile } from './source-file.js';

export function isOurs(to: string): boolean {
  return /\.tsx?$/.test(to);
}

type Arrow = readonly [from: string, to: string];

export function arrows(files: readonly SourceFile[]): Arrow[] {
  return files.flatMap(({ path, imports }) =>
    imports.filter(({ to }) => isOurs(to)).map(({ to }): Arrow => [path, to]),
  );
}

export function toText([from, to]: Arrow): string {
  return `${from} -> ${to}`;
}

/** Files that import themselves through other files. Includes imports of types and `import()`. */
export function circles(files: readonly SourceFile[]): string[] {
  const next = new Map(files.map(({ path, imports }) => [path, imports.map(({ to }) => to)]));
  return files.map(({ path }) => path).filter((path) => reached(next.get(path) ?? [], next).has(path));
}

/**
 * Circular imports between the rooms of a folder, as `folder: room, room`. A room is a subfolder; the folder's own files
 * are the room `.`.
 */
export function knots(files: readonly SourceFile[]): string[] {
  const folders = new Set(files.map(({ path }) => path).flatMap(foldersAbove));
  return [...folders].flatMap((folder) => {
    const next = new Map<string, string[]>();
    for (const [from, to] of arrows(files)) {
      const [room, other] = [roomIn(folder, from), roomIn(folder, to)];
      if (room === undefined || other === undefined || room === other) continue;
      next.set(room, [...(next.get(room) ?? []), other]);
    }
    const knotted = [...next.keys()].filter((room) => reached(next.get(room) ?? [], next).has(room));
    return knotted.length === 0 ? [] : [`${folder}: ${knotted.sort().join(', ')}`];
  });
}

/** The folders above a file, from the root `.` down to its own. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? ['.'] : [...foldersAbove(folder), folder];
}

/** The room of a folder that a file is in; `undefined` if the file is not below the folder. */
function roomIn(folder: string, path: string): string | undefined {
  const within = folder === '.' ? path : path.slice(folder.length + 1);
  if (folder !== '.' && !path.startsWith(`${folder}/`)) return undefined;
  return within.includes('/') ? within.slice(0, within.indexOf('/')) : '.';
}

/** The file and everything that is loaded with it: our files and packages. */
export function loadedBy(start: string, files: readonly SourceFile[]): string[] {
  const loads = ({ typeOnly, lazy }: Import) => !typeOnly && !lazy;
  const next = new Map(files.map(({ path, imports }) => [path, imports.filter(loads).map(({ to }) => to)]));
  return [...reached([start], next)];
}

function reached(start: readonly string[], next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set(start);
  for (const path of seen) for (const to of next.get(path) ?? []) seen.add(to);
  return seen;
}
