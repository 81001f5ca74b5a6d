import { argument, command, option } from '../cli/command.js';
import { keepNextWord } from '../cli/command-words.js';

export const apply = command({
  description: `Make the organization match a file: show the plan, and ask for confirmation. It changes only the kinds and fields in the file, and deletes nothing without --prune. The API reference does not describe most of the calls, so your service may not have them.`,
  args: [argument('<file>', 'YAML or JSON as export writes it; - for stdin')],
  options: [
    option('-y, --yes', 'do not prompt, except before large deletions'),
    option(
      '--plan <file>',
      'carry out the plan that diff --out wrote; refuse (exit 14) if anything the plan touches has changed',
    ),
    option(
      '--set-secrets',
      'send all secrets and settings that the service does not return, not only those of new resources',
    ),
    option(
      '--prune [all]',
      'delete resources missing from the file, of every kind in the file; asks again before deleting more than 10 resources of a kind, or more than 30% of them, unless --prune=all',
      { choices: ['all'] },
    ),
    option('--no-commands', 'refuse a file that contains commands (exit 2), for CI'),
  ],
  examples: [
    ['orgctl apply org.yaml', 'shows the plan, and asks for confirmation'],
    ['orgctl apply org.yaml --plan plan.json', 'carries out exactly the reviewed plan'],
  ],
  calls: 'service',
  writes: ['service', 'files', 'profiles'],
  asks: 'before it changes anything, unless --yes or --plan; again if --prune would delete many of a kind, unless --prune=all',
  exits: ['quota_exceeded', 'partial'],
  parser: (parser) => keepNextWord(parser, '--prune', 'all'),
  async run(context, [file], options) {
    const { applyFile } = await import('../organization/apply-file.js');
    return applyFile(file, options, context);
  },
});
