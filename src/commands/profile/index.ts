import { argument, group, option, verb } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { ProfileFile } from '../../profiles/file/parse-profile-file.js';
import { findProfile, isRotating } from '../../profiles/file/store.js';
import { displayKeyId } from '../../profiles/settings/secret.js';
import { listEveryColumn } from '../../terminal/formats/columns.js';
import { env, requireProfileInUse } from '../exec.js';
import { rescueSecret } from '../resource/print.js';
import { forgetSecret } from './given.js';
import { add, set } from './save.js';
import { profileView, shownProfile } from './view.js';

const storedName = argument('<name>', 'a stored profile');
const optionalName = argument('[name]', 'a stored profile');

const list = verb('list', {
  summary: 'list the stored profiles',
  description: 'List the stored profiles; secrets are masked.',
  examples: [['orgctl profile list', 'the current one has a star']],
  async run(context) {
    const file = await context.profiles().read();
    const shown = Object.entries(file.profiles).map(([name, profile]) =>
      shownProfile(name, profile, name === file.current),
    );
    await (await context.printer()).list(shown, profileView);
    if (shown.length > 0) await noteOverrides(file, context);
  },
});

const show = verb('show', {
  summary: 'show one profile, its secret masked',
  description: 'Show a profile, by default the one in use, with its secret masked.',
  args: [optionalName],
  examples: [['orgctl profile show', 'the one that other commands would use']],
  async run(context, [named]) {
    const { name, profile } = await requireProfileInUse(context, named);
    const shown = shownProfile(name, profile, name === (await context.profiles().read()).current);
    const every = { ...profileView, columns: listEveryColumn(profileView), block: true } as const;
    await (await context.printer()).one(shown, context.flags().columns === undefined ? every : profileView);
    if (!isRotating(profile)) return;
    const next = ['orgctl', 'api-keys', 'rotate', '-p', name];
    await context.note('the key rotation of this profile is unfinished; finish it', next);
  },
});

const use = verb('use', {
  summary: 'make a profile current',
  description: 'Make a profile the current one.',
  args: [storedName],
  examples: [['orgctl profile use prod', 'later commands need no --profile prod']],
  writes: ['profiles'],
  async run(context, [name]) {
    const file = await context.profiles().use(name);
    await context.note(`the current profile is ${JSON.stringify(name)}`);
    await noteOverrides(file, context);
  },
});

const rename = verb('rename', {
  summary: 'rename a profile',
  description: 'Rename a profile. The current profile stays current.',
  args: [storedName, argument('<new-name>', 'letters, digits, "_" and "-"')],
  examples: [['orgctl profile rename prod production', 'prod becomes production']],
  writes: ['profiles'],
  async run(context, [name, to]) {
    await context.profiles().rename(name, to);
    await context.note(`profile ${JSON.stringify(name)} is now ${JSON.stringify(to)}`);
  },
});

const remove = verb('remove', {
  summary: 'delete a profile and its secret',
  description: 'Delete a profile and its stored secret. The API key itself stays valid.',
  args: [storedName],
  options: [option('-y, --yes', 'do not prompt, even if a stored secret is removed too')],
  examples: [['orgctl profile remove staging', 'the key stays valid on the service']],
  writes: ['profiles'],
  asks: 'if a stored secret is removed too, unless --yes',
  async run(context, [name], { yes }) {
    const store = context.profiles();
    const profile = await store.get(name);
    if ((profile.secret !== undefined || profile.keyring) && !yes) {
      const question = `Remove profile ${JSON.stringify(name)} and the stored secret of ${displayKeyId(profile.keyId)}?`;
      const prompt = await context.prompt();
      await prompt.confirm(question, { hint: 'pass --yes', declined: 'nothing was removed' });
    }
    const { [name]: _removed, ...others } = (await store.read()).profiles;
    await forgetSecret(name, profile, others, context);
    const { pending, retiring } = profile;
    if (pending?.secret) {
      await store.assertWritable();
      const key = { id: pending.keyId, secret: pending.secret };
      await rescueSecret(key, 'an unfinished rotation had created a key', context);
    }
    await store.remove(name);
    const retired = retiring && `; ${displayKeyId(retiring)}, which a rotation replaced, may still be valid`;
    await context.note(`profile "${name}" removed${retired ?? ''}`);
  },
});

const path = verb('path', {
  summary: 'print the path of the profile file',
  description: 'Print the path of the profile file, which need not exist yet.',
  examples: [['ls -l "$(orgctl profile path)"', 'the file with its mode, 0600']],
  async run(context) {
    await (await context.textPrinter()).prose(context.profiles().path(), `${context.profiles().path()}\n`);
  },
});

export const profile = group({
  description: 'Manage profiles: the services and keys that orgctl uses.',
  examples: [['orgctl profile add', 'prompts for everything']],
  verbs: [add, set, list, show, use, rename, remove, env, path],
});

/** Prints a note on each variable that other commands use instead of the current profile. */
async function noteOverrides(file: ProfileFile, { system, note }: Context): Promise<void> {
  const { ORGCTL_PROFILE: chosen, ORGCTL_KEY_ID: keyId } = system.env;
  const name = chosen || file.current;
  if (chosen && chosen !== file.current)
    await note(`ORGCTL_PROFILE is set: commands use profile ${JSON.stringify(chosen)}, not the current one`);
  const used = name === undefined ? undefined : findProfile(file, name);
  if (keyId && used !== undefined && keyId !== used.keyId)
    await note(`ORGCTL_KEY_ID is set: commands use that key ID, not that of profile ${JSON.stringify(name)}`);
}
