import { parsedOption } from '../../cli/command.js';
import { UsageError } from '../../errors/errors.js';

/** An option for a port to listen on; 0 picks a free one. */
export function portOption<const Flags extends string>(flags: Flags, description: string) {
  return parsedOption(flags, description, (text) => {
    const port = Number(text);
    if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
    const hint = '0 to 65535; 0 picks a free one';
    throw new UsageError(`${flags.split(' ', 1)[0]} ${text}: not a port`, { hint });
  });
}
