import { systemStore } from '../api/option-values.js';
import { argument, command, option } from '../cli/command.js';
import type { Define } from '../cli/lazy-command.js';
import { ownSecrets, settingVariables, withoutVariables } from '../profiles/settings/settings.js';
import { profileEnvironment, readOnlyVariable, requireProfileInUse } from './profile/environment.js';
import { runChild } from './serve/child.js';

const replaced: readonly string[] = [...ownSecrets, ...settingVariables];

export const exec: Define = (parser, context) => {
  command({
    description:
      'Run a command with the settings of the profile as environment variables, such as ORGCTL_BASE_URL, ORGCTL_KEY_ID and ORGCTL_SECRET, and exit with its exit code. A CA file is in NODE_EXTRA_CA_CERTS, too. Only orgctl obeys ORGCTL_READ_ONLY.',
    args: [argument('<command...>', 'the command, with its arguments')],
    options: [option('-y, --yes', 'also pass on a secret that is in the keyring or comes from a command')],
    examples: [['orgctl exec -p staging -- npm test', 'your own client, with the key of staging']],
    async run(context, [[file = '', ...args]], { yes = false }) {
      const { name, profile } = await requireProfileInUse(context);
      const variables = await profileEnvironment(name, profile, yes, context);
      const { caFile } = profile;
      const { env } = context.system;
      const child = {
        ...withoutVariables(env, replaced),
        ...(caFile !== undefined && caFile !== systemStore && { NODE_EXTRA_CA_CERTS: caFile }),
        ...variables,
        ...((await context.settings().readOnly()).value && readOnlyVariable),
      };
      context.exitWith(await runChild([file, ...args], child, context));
    },
  })(parser, context);
  parser.usage('[options] -- <command...>');
  // Options after the command's name belong to that command.
  parser.passThroughOptions();
};
