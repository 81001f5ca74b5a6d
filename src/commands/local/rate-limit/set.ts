import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { parseRateLimit } from '../../../input/rate-limit.js';
import { rateLimitView } from '../../../verbs/local/rate-limit-view.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function set(command: Command, context: Context): void {
  withExamples(
    withData(command.description('Set how many requests per time window each API key may send.')).argument(
      '<limit>',
      'requests/duration, such as 100/1m',
    ),
    [
      ['orgctl local rate-limit set 100/1m', '100 requests per minute for each API key'],
      ['orgctl local rate-limit set 3/10s', 'does a client wait as Retry-After says?'],
    ],
    { calls: 'control', writes: ['server'] },
  ).action(async (text, flags) => {
    const { requests, window } = parseRateLimit(text, JSON.stringify(text));
    const printer = await context.printer();
    printer.check(rateLimitView, 'value');
    const set = await withControl(flags, context, (control) => control.rateLimit.set(requests, window));
    await printer.value(set, set === null ? [] : [set], rateLimitView);
  });
}
