import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import type { ControlClient } from '../../client/control-client.js';
import { ServiceError, withHint } from '../../errors/errors.js';
import {
  nameServer,
  requireConfirmation,
  withControl,
  withData,
  yesOption,
} from '../../verbs/local/with-control.js';

export function restore(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Restore all data of the server on this machine from a snapshot; later changes are lost.',
      ),
    )
      .argument('<snapshot>', 'the name that orgctl local snapshot printed')
      .option(...yesOption),
    [
      ['orgctl local restore "$BEFORE" --yes', 'in a script, after BEFORE=$(orgctl local snapshot)'],
      ['orgctl local restore snapshot_1', 'any number of times; prompts first'],
    ],
    { calls: 'control', writes: ['server'], asks: 'first, unless --yes' },
  ).action(async (name, { yes, ...flags }) => {
    await withControl(flags, context, async (control, server) => {
      await assertTaken(name, control);
      const question = `Replace all data of ${nameServer(server)} with ${name}?`;
      await requireConfirmation(question, yes, context);
      await control.restore(name).catch((error: unknown) => {
        const isMissing = error instanceof ServiceError && error.details.status === 404;
        throw isMissing ? withHint(error, listAdvice) : error;
      });
      await context.note(`restored ${name}`);
    });
  });
}

/** Checks the name before the prompt. For a dropped snapshot, the server itself explains it. @throws ServiceError */
async function assertTaken(name: string, control: ControlClient): Promise<void> {
  const taken = await control.snapshots();
  if (/^snapshot_[1-9]\d*$/.test(name) || taken.some(({ snapshot }) => snapshot === name)) return;
  throw new ServiceError('not_found', `snapshot ${JSON.stringify(name)} not found`, listAdvice);
}

const listAdvice = { hint: 'list snapshots', next: ['orgctl', 'local', 'snapshot', 'list'] };
