import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { UsageError } from '../../errors/errors.js';
import { awaitServer } from '../../verbs/local/await-server.js';
import { withData } from '../../verbs/local/with-control.js';

export function wait(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Wait until the server on this machine answers, and print its address. Exit 3 if there is none after --deadline (default 2m).',
      ),
    ),
    [
      ['orgctl serve & orgctl local wait', 'start it, and continue when it is ready'],
      ['URL=$(orgctl local wait --deadline 10s)', 'wait ten seconds at most'],
    ],
    { calls: 'control' },
  ).action(async (flags) => {
    refuseTimeoutOnly(context);
    const url = await awaitServer(flags, context);
    await (await context.textPrinter()).line(url);
  });
}

/** Refuses `--timeout` without `--deadline`: it was meant to limit the wait, which would last for minutes. */
function refuseTimeoutOnly({ flags }: Pick<Context, 'flags'>): void {
  const { timeout, deadline } = flags();
  if (timeout === undefined || deadline !== undefined) return;
  throw new UsageError('--timeout limits each attempt, not the wait', {
    hint: `limit the wait: --deadline ${timeout}`,
  });
}
