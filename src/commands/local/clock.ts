import type { clockAnswerSchema } from '../../api/control/control-answers.js';
import type { z } from '../../api/schema/schema.js';
import { argument, subgroup } from '../../cli/command.js';
import { UsageError } from '../../errors/errors.js';
import type { View } from '../../terminal/output/printer.js';
import { formatRounded } from '../../text/duration.js';
import { serverVerb, showOne } from './server-verb.js';

const clockView: View<z.infer<typeof clockAnswerSchema>> = {
  columns: [
    { header: 'TIME', value: 'time' },
    { header: 'OFFSET', value: 'offset', drawn: (offset) => describeOffset(Number(offset)) },
  ],
};

/** Such as `none`, `10m ahead` or `1d 12h behind`; rounded. */
export function describeOffset(milliseconds: number): string {
  const text = formatRounded(Math.abs(milliseconds));
  return text === '' ? 'none' : `${text} ${milliseconds > 0 ? 'ahead' : 'behind'}`;
}

export const clock = subgroup('clock', {
  summary: "show, set, advance and reset the server's clock",
  description:
    'Show, set, advance and reset the clock of the server on this machine. After a change, the clock keeps running from the new time.',
  examples: [['orgctl local clock advance 10m', 'does the server refuse clients whose clock is behind?']],
  verbs: [
    serverVerb('show', {
      summary: "show the server's time and its offset from this machine's clock",
      examples: [['orgctl local clock show --query offset', 'milliseconds ahead, for a script']],
      reads: true,
      shows: showOne(clockView),
      run: ({ control }) => control.call('clock.get'),
    }),
    serverVerb('set', {
      summary: "set the server's time",
      args: [argument('<time>', 'time with a zone, such as 2030-01-01T00:00:00Z, or a date (midnight UTC)')],
      examples: [
        ['orgctl local clock set 2030-12-31T23:59:50+01:00', 'ten seconds before the new year in Berlin'],
      ],
      shows: showOne(clockView),
      run: ({ control }, [time]) => control.call('clock.set', { time }),
    }),
    serverVerb('advance', {
      summary: "move the server's clock forward by a duration, or back if it is negative",
      args: [argument('<duration>', 'such as 10m, or -10m to move back')],
      examples: [['orgctl local clock advance -1h', 'back by an hour']],
      // A negative duration looks like an option.
      parser: (command) =>
        command.allowUnknownOption().hook('preAction', ({ args: [by = ''] }) => {
          if (/^-\D/.test(by)) throw new UsageError(`unknown option '${by}'`);
        }),
      shows: showOne(clockView),
      run: ({ control }, [by]) => control.call('clock.advance', { by }),
    }),
    serverVerb('reset', {
      summary: "reset the server's clock to this machine's time",
      examples: [['npm test; orgctl local clock reset', 'after tests that moved it']],
      shows: showOne(clockView),
      run: async ({ control }) =>
        control.call('clock.advance', { by: -(await control.call('clock.get')).offset }),
    }),
  ],
});
