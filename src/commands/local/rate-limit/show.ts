import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { rateLimitView } from '../../../verbs/local/rate-limit-view.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function show(command: Command, context: Context): void {
  withExamples(
    withData(command.description('Show the rate limit of each API key; null in JSON if there is none.')),
    [
      ['orgctl local rate-limit show', 'how many requests, in what time?'],
      ['orgctl local rate-limit show -o json', 'null if there is none'],
    ],
    { calls: 'control' },
  ).action(async (flags) => {
    const printer = await context.printer();
    printer.check(rateLimitView, 'value');
    const found = await withControl(flags, context, (control) => control.rateLimit.get());
    await printer.value(found, found === null ? [] : [found], rateLimitView);
  });
}
