import type { Command } from '@commander-js/extra-typings';
import { systemStore } from '../api/option-values.js';
import type { Context } from '../cli/context.js';
import { withExamples } from '../cli/help-text.js';
import { ConfigError, UsageError } from '../errors/errors.js';
import { namesHint } from '../profiles/file/profile-file.js';
import { ownSecrets, withoutVariables } from '../profiles/secret-command/own-secrets.js';
import type { ActiveProfile } from '../profiles/settings/credential.js';
import {
  noteLimits,
  profileEnvironment,
  readOnlyVariable,
  settingVariables,
  yesToSecret,
} from '../verbs/profile/environment.js';
import { runChild } from './serve/child.js';

type ExecContext = Pick<Context, 'system' | 'signal' | 'settings' | 'profiles' | 'note' | 'exitWith'>;

export function exec(command: Command, context: Context): void {
  command.usage('[options] -- <command...>');
  // Options after the command's name belong to that command.
  command.passThroughOptions();
  withExamples(
    command
      .description(
        'Run a command with the settings of the profile as environment variables, such as ORGCTL_BASE_URL, ORGCTL_KEY_ID and ORGCTL_SECRET, and exit with the exit code of the command. NODE_EXTRA_CA_CERTS is set if the profile has a CA file, and ORGCTL_READ_ONLY if the profile is read-only: orgctl then refuses changes in the command too, but other programs can make them.',
      )
      .argument('<command...>', 'the command, with its arguments')
      .option(...yesToSecret),
    [
      ['orgctl exec -p staging -- npm test', 'your own client, with the key of staging'],
      [
        'orgctl exec -p prod -- sh -c \'echo "$ORGCTL_KEY_ID at $ORGCTL_BASE_URL"\'',
        'the variables in a shell',
      ],
    ],
    {},
  ).action((words, { yes }) => execute(words, yes === true, context));
}

async function execute(
  [file, ...args]: readonly string[],
  isSure: boolean,
  context: ExecContext,
): Promise<void> {
  if (file === undefined)
    throw new UsageError('the command is missing', { hint: 'orgctl exec -p NAME -- COMMAND' });
  const { name, profile } = await requireActiveProfile(context);
  const variables = await profileEnvironment(name, profile, isSure, context);
  await noteLimits(name, profile, file, context);
  const isReadOnly = (await context.settings().readOnly()).value;
  const { caFile } = profile;
  const trust = caFile === undefined || caFile === systemStore ? {} : { NODE_EXTRA_CA_CERTS: caFile };
  const { env, platform } = context.system;
  const child = {
    ...withoutVariables(env, replaced, platform),
    ...trust,
    ...variables,
    ...(isReadOnly ? readOnlyVariable : {}),
  };
  context.exitWith(await runChild([file, ...args], child, context));
}

/** Variables of the shell that would override the profile, or conflict with its secret. */
const replaced: readonly string[] = [...ownSecrets, ...settingVariables];

async function requireActiveProfile({ settings: resolved, profiles }: ExecContext): Promise<ActiveProfile> {
  const active = await resolved().profile();
  if (active !== undefined) return active;
  throw new ConfigError('no profile is in use', { hint: namesHint(await profiles().read()) });
}
