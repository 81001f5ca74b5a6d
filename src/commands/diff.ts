import { argument, command, option } from '../cli/command.js';
import { keepNextWord } from '../cli/command-words.js';

export const diff = command({
  description: `Show what apply would do to make the organization match a file. It compares only what is in the file, and never secrets.`,
  args: [argument('<file>', 'YAML or JSON as export writes it; - for stdin')],
  options: [
    option('--exit-code', 'exit 15 when something would change'),
    option('--out <file>', 'write the plan, without secrets, for apply --plan; replaces only a plan'),
    option('--set-secrets', 'plan to send all secrets and settings that the service does not return'),
    option('--prune [all]', 'plan to delete resources missing from the file, of every kind in the file', {
      choices: ['all'],
    }),
  ],
  examples: [
    ['orgctl diff org.yaml', 'what would change'],
    [
      'orgctl diff org.yaml --exit-code --out plan.json',
      'in CI: save the plan, and exit 15 if it has changes',
    ],
  ],
  calls: 'service',
  writes: ['files'],
  exits: ['changes'],
  parser: (parser) => keepNextWord(parser, '--prune', 'all'),
  async run(context, [file], options) {
    const { diffFile } = await import('../organization/diff-file.js');
    return diffFile(file, options, context);
  },
});
