import { Argument, type Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { withExamples } from '../help-text.js';
import { bash } from './scripts/bash.js';
import { fish } from './scripts/fish.js';
import { powershell } from './scripts/powershell.js';
import { zsh } from './scripts/zsh.js';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
type Shell = (typeof shells)[number];

const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell };

/** `orgctl completion <shell>`: offline. The scripts ask `orgctl __complete` for what fits. */
export function completion(command: Command, context: Context, run = printScript): void {
  withExamples(
    command
      .description(
        'Print a script that completes commands, options, profile names, kinds and formats. Load it in the start-up file of the shell, or save it where the shell looks for completions.',
      )
      .addArgument(new Argument('<shell>', 'the shell that is to load it').choices(shells)),
    [
      ['orgctl completion bash > ~/.local/share/bash-completion/completions/orgctl', 'bash'],
      ['orgctl completion zsh > ~/.zfunc/_orgctl', 'zsh, where ~/.zfunc is in fpath, before compinit'],
      ['orgctl completion fish > ~/.config/fish/completions/orgctl.fish', 'fish'],
      ['orgctl completion powershell | Out-String | Invoke-Expression', 'PowerShell, in $PROFILE'],
      ['source <(orgctl completion bash)', 'only now, to try it'],
    ],
  ).action((shell) => run(shell, context));
}

export async function printScript(shell: Shell, context: Pick<Context, 'printer'>): Promise<void> {
  await (await context.printer()).text(scripts[shell]);
}
