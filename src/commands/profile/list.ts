import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { whyMissing } from '../../platform/home-directory.js';
import { firstProfileHint } from '../../profiles/file/profile-file.js';
import { profileView, shownProfile } from '../../verbs/profile/shown-profile.js';

export function list(command: Command, context: Context): void {
  withExamples(
    command.description('List the stored profiles; secrets are masked.'),
    [
      ['orgctl profile list', 'the current one has a star'],
      ["orgctl profile list --query '[].name' -r", 'only the names, for a script'],
    ],
    {},
  ).action(() => listProfiles(context));
}

async function listProfiles(context: Pick<Context, 'profiles' | 'printer'>): Promise<void> {
  const store = context.profiles();
  const profiles = await store.list();
  const missing = whyMissing(store.path());
  const view =
    missing === undefined
      ? profileView
      : { ...profileView, empty: `no profiles: ${missing}; ${firstProfileHint}` };
  const printer = await context.printer();
  await printer.list(
    profiles.map(({ name, profile, current }) => shownProfile(name, profile, current)),
    view,
  );
}
