import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { kill } from 'node:process';

/** Kills a process and its descendants one by one: they share orgctl's process group, so that they can prompt. */
export function endProcessTree(root: number, platform: NodeJS.Platform): void {
  if (platform === 'win32') {
    quietly(() => execFileSync('taskkill', ['/pid', String(root), '/t', '/f'], { stdio: 'ignore' }));
    return;
  }
  // Stops the root first, so that it starts no other processes.
  quietly(() => kill(root, 'SIGSTOP'));
  for (const pid of listDescendants(root, parents(platform))) quietly(() => kill(pid, 'SIGKILL'));
}

function listDescendants(root: number, parentOf: ReadonlyMap<number, number>): readonly number[] {
  const found = [root];
  for (const pid of found) {
    for (const [child, parent] of parentOf) if (parent === pid) found.push(child);
  }
  return found;
}

function parents(platform: NodeJS.Platform): ReadonlyMap<number, number> {
  const rows = quietly(() => (platform === 'linux' ? rowsOfProc() : rowsOfPs())) ?? [];
  return new Map(rows);
}

// Small containers may lack ps(1).
function rowsOfProc(): readonly (readonly [pid: number, parent: number])[] {
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return names.flatMap((name) => {
    // The program's name is in parentheses, and may contain any character.
    const fields = quietly(() => readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) /s, ''));
    return fields === undefined ? [] : [[Number(name), Number(fields.split(' ')[1])] as const];
  });
}

function rowsOfPs(): readonly (readonly [pid: number, parent: number])[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n');
  return lines.map((line) => {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    return [pid, parent] as const;
  });
}

function quietly<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
