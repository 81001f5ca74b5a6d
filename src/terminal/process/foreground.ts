import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Whether a process may read from its terminal. The system stops a background process that reads. */
export async function isInForeground(pid: number, platform: NodeJS.Platform): Promise<boolean> {
  if (platform === 'win32') return true;
  try {
    const [group, foreground] = platform === 'linux' ? await readGroups(pid) : await askGroups(pid);
    return group !== undefined && group === foreground;
  } catch {
    return false;
  }
}

/** Fields 5 and 8 of proc(5), counted from field 3: the name before it may contain spaces and parentheses. */
async function readGroups(pid: number): Promise<readonly (string | undefined)[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return [fields[5 - 3], fields[8 - 3]];
}

async function askGroups(pid: number): Promise<readonly (string | undefined)[]> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pgid=,tpgid=', '-p', String(pid)]);
  return stdout.trim().split(/\s+/);
}
