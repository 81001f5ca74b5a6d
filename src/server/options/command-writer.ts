import type { ServerOptions, WriteCommand } from './server-options.js';

/** How commands are written that steer this server; without the option, as for one that is found by itself. */
export function chooseWriter({ writeCommand }: ServerOptions): WriteCommand {
  return writeCommand ?? ((words) => ['orgctl', ...words].join(' '));
}
