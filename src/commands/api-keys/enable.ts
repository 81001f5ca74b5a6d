import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { advise, UsageError } from '../../errors.js';
import { withExamples } from '../help-text.js';

/** `orgctl api-keys enable <id>`: the API has no such call (reference, section 3), so that it only says where it is done. */
export function enable(command: Command, _context: Context): void {
  withExamples(
    command
      .description(
        'Says where a disabled API key is enabled again: in the management console, for the API has no such call; on a server of this machine by orgctl local keys enable.',
      )
      .argument('[id]', 'ID of an API key'),
    [['orgctl local keys enable key_21f3b017', 'on a server of this machine']],
    {},
  ).action((id = 'ID') => {
    throw new UsageError('API keys are enabled in the management console alone: the API has no such call', {
      ...advise(
        ['orgctl', 'local', 'keys', 'enable', id],
        (command) => `on a server of this machine: ${command}`,
      ),
    });
  });
}
