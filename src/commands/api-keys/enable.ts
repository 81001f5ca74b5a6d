import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { UsageError } from '../../errors/errors.js';

/** The API has no call for this. */
export function enable(command: Command, _context: Context): void {
  withExamples(
    command
      .description(
        'Explain how to re-enable a disabled API key. The API has no call for this: use the service\'s management console or, for a local server, "orgctl local keys enable".',
      )
      .argument('[id]', 'ID of an API key'),
    [['orgctl local keys enable ci', 'on a local server']],
    {},
  ).action((id = 'ID') => {
    throw new UsageError('the API cannot enable API keys: use the management console', {
      hint: 'on a local server',
      next: ['orgctl', 'local', 'keys', 'enable', id],
    });
  });
}
