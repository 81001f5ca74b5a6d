import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Copies the working tree without ignored files. */
export function copyTree(directory: string): void {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const path of files.split('\0').filter((name) => name !== '')) {
    mkdirSync(join(directory, dirname(path)), { recursive: true });
    cpSync(join(root, path), join(directory, path));
  }
}
