import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { quoteForShell } from '../../text/shell-quote.js';
import { adviseIfUnwritten, nothingChanged } from '../../verbs/done-unwritten.js';
import { chooseProfile } from '../../verbs/profile/chosen-profile.js';
import { noteLimits, profileEnvironment, settingVariables } from '../../verbs/profile/environment.js';

export function env(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        'Print a profile, by default the one in use, as shell variables, including its secret. The lines also unset the variables for settings that the profile does not have. For a read-only profile, ORGCTL_READ_ONLY makes orgctl refuse changes in that shell too; other programs can make them. orgctl exec passes the variables to one command only.',
      )
      .argument('[name]', 'a stored profile')
      .option(
        '-y, --yes',
        'do not prompt; also print a secret that is in the keyring or comes from a command',
      ),
    [
      ['eval "$(orgctl profile env staging)"', 'this shell uses it from now on'],
      ['orgctl profile env staging --query ORGCTL_BASE_URL -r', 'only its address'],
    ],
    { asks: 'before it prints a secret on a terminal, unless --yes' },
  ).action((name, { yes }) => printEnvironment(name, yes === true, context));
}

async function printEnvironment(
  named: string | undefined,
  isSure: boolean,
  context: Pick<
    Context,
    'profiles' | 'flags' | 'textPrinter' | 'system' | 'signal' | 'streams' | 'prompt' | 'note'
  >,
): Promise<void> {
  const { name, profile } = await chooseProfile(named, context);
  const printer = await context.textPrinter();
  const isSeen = context.streams.stdout.isTerminal;
  if (isSeen && !isSure) {
    const advice = { hint: 'pass --yes', declined: 'nothing was done' };
    await (await context.prompt()).confirm(`Print the secret of profile ${JSON.stringify(name)}?`, advice);
  }
  const variables = await profileEnvironment(name, profile, isSure || isSeen, context);
  await noteLimits(name, profile, 'this shell', context);
  await adviseIfUnwritten(printer.prose(variables, writeForShell(variables)), nothingChanged);
}

function writeForShell(variables: Readonly<Record<string, string>>): string {
  const others = settingVariables.filter((variable) => !(variable in variables));
  const lines = Object.entries(variables).map(
    ([variable, value]) => `export ${variable}=${quoteForShell(value)}\n`,
  );
  return [`unset ${others.join(' ')}\n`, ...lines].join('');
}
