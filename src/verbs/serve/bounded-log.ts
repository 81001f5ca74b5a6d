import { constants, copyFileSync, fstatSync, ftruncateSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { serverLogName } from '../../api/control/control.js';
import type { OpenLog } from './log-lines.js';

/** Size of the log, in bytes, beyond which it is moved. */
const maxLogged = 1024 * 1024;

/** Moves a detached server's log to `serve.log.1` whenever it is full. */
export function boundLog(open: OpenLog, data: string, file: number, maxBytes = maxLogged): OpenLog {
  return {
    log(entry) {
      open.log(entry);
      if (fstatSync(file).size > maxBytes)
        moveLog(file, join(data, `${serverLogName}.1`), join(data, serverLogName));
    },
    close: () => open.close(),
  };
}

/** Copies the log to `past` and empties it; if it cannot be copied, only empties it. */
function moveLog(file: number, past: string, path: string): void {
  try {
    rmSync(past, { force: true });
    copyFileSync(path, past, constants.COPYFILE_EXCL);
  } catch {
    // The log must neither fill the disk nor end the server.
  }
  ftruncateSync(file);
}
