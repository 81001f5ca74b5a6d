import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../cli/context.js';
import { notInReference, withExamples } from '../cli/help-text.js';
import { keepNextWord } from '../cli/keep-next-word.js';
import { connectionExample } from '../input/forms/connection-example.js';
import type { ApplyOptions } from '../organization/apply-file.js';

/** Makes the organization match a file (docs/guides/organization-file.md). */
export function apply(command: Command, context: Context): void {
  keepNextWord(command, '--prune', ['all']);
  withExamples(
    command
      .description(
        `Make the organization match a file ${notInReference}: shows the plan, and asks. Only kinds and fields that the file names are changed, and nothing is deleted without --prune, except a key that an interrupted run left without its secret, which the plan shows. A connection in it: ${connectionExample}.`,
      )
      .argument('<file>', 'YAML or JSON as export writes it; - for stdin')
      .option('-y, --yes', 'do not ask')
      .option(
        '--plan <file>',
        'carry out the plan that diff --out wrote; refuse (exit 14) if anything has changed since',
      )
      .option(
        '--set-secrets',
        'send all secrets that the file refers to; otherwise only those of new resources',
      )
      .option(
        '--prune [kinds]',
        'delete what the file lacks, of the kinds that it names, or as --prune=teams only of this one; asks again above 30 % or 10 of a kind, unless --prune=all',
      )
      .option('--no-commands', 'refuse a file with a command in it (exit 2), as for CI'),
    [
      ['orgctl apply org.yaml', 'shows the plan, and asks'],
      ['orgctl apply org.yaml --plan plan.json', 'exactly what was reviewed'],
      ['orgctl apply org.yaml --prune', 'and delete what the file lacks'],
    ],
    {
      calls: 'service',
      writes: ['service', 'files', 'profiles'],
      asks: 'before it changes anything, unless --yes or --plan, and with --yes before it deletes a key that an interrupted run made; again where --prune deletes much of a kind, unless --prune=all',
      exits: ['quota_exceeded', 'partial'],
    },
  ).action(async (file, options: ApplyOptions) => {
    // Loaded here, so that help does not have to.
    const { applyFile } = await import('../organization/apply-file.js');
    return applyFile(file, options, context);
  });
}
