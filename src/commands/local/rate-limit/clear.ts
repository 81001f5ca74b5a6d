import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function clear(command: Command, context: Context): void {
  withExamples(
    withData(command.description('Remove the rate limit.')),
    [
      ['orgctl local rate-limit clear', 'no limit from now on'],
      ['npm test; orgctl local rate-limit clear', 'after tests that set one'],
    ],
    { calls: 'control', writes: ['server'] },
  ).action(async (flags) => {
    await withControl(flags, context, (control) => control.rateLimit.clear());
    await context.note('rate limit removed');
  });
}
