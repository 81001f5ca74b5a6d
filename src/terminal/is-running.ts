import { systemCodeOf } from '../errors.js';

/** Whether there is a process of that ID on this machine, be it another user's. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCodeOf(error) === 'EPERM';
  }
}
