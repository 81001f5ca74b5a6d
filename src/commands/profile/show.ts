import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { isRotating } from '../../profiles/file/profile-file.js';
import { listEveryColumn } from '../../terminal/formats/columns.js';
import { chooseProfile } from '../../verbs/profile/chosen-profile.js';
import { profileView, shownProfile } from '../../verbs/profile/shown-profile.js';

export function show(command: Command, context: Context): void {
  withExamples(
    command
      .description('Show a profile, by default the one in use, with its secret masked.')
      .argument('[name]', 'a stored profile'),
    [
      ['orgctl profile show', 'the one that other commands would use'],
      ['orgctl profile show prod -o json', 'as JSON, with the secret masked'],
    ],
    {},
  ).action((name) => showProfile(name, context));
}

async function showProfile(
  named: string | undefined,
  context: Pick<Context, 'profiles' | 'printer' | 'flags' | 'system' | 'note'>,
): Promise<void> {
  const { file, name, profile } = await chooseProfile(named, context);
  const shown = shownProfile(name, profile, name === file.current);
  const every = { ...profileView, columns: listEveryColumn(profileView), block: true } as const;
  await (await context.printer()).one(shown, context.flags().columns === undefined ? every : profileView);
  if (!isRotating(profile)) return;
  await context.note(`the key rotation of this profile is unfinished; finish it`, [
    'orgctl',
    'api-keys',
    'rotate',
    '-p',
    name,
  ]);
}
