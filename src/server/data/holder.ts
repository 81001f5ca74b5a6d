import { join } from 'node:path';
import { serverFileName } from '../../api/control/control.js';
import { serverFileSchema } from '../../api/control/control-answers.js';
import { readRegularFile } from '../../platform/regular-file.js';
import { isRunning } from '../../terminal/process/process-system.js';
import { tryParseJson } from '../../text/exact-json.js';

/** Such as ` (https://127.0.0.1:8443, process 4711)`; empty if `server.json` is missing or left by a killed server. */
export function describeHolder(directory: string): string {
  try {
    const text = readRegularFile(join(directory, serverFileName)).toString();
    const { data } = serverFileSchema.safeParse(tryParseJson(text));
    return data !== undefined && isRunning(data.pid) ? ` (${data.url}, process ${data.pid})` : '';
  } catch {
    return '';
  }
}
