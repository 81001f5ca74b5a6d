import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import type { Profile } from '../../profiles/file/profile-file.js';
import { settingsOfProfile } from '../../profiles/resolve.js';
import { type Setting, settings } from '../../profiles/settings/settings.js';

/** Makes orgctl send only GET requests. */
export const readOnlyVariable = { [settings.readOnly.env]: '1' } as const;

/** A profile's settings as variables. @throws UsageError for a secret outside the profile file, unless `isSure` */
export async function profileEnvironment(
  name: string,
  profile: Profile,
  isSure: boolean,
  context: Context,
): Promise<Record<string, string>> {
  if ((profile.keyring || profile.secretCommand !== undefined) && !isSure) {
    const place = profile.keyring ? 'in the keyring' : 'printed by a command';
    throw new UsageError(
      `the secret of profile ${JSON.stringify(name)} is ${place}, and would become visible in an environment`,
      { hint: 'to allow it, pass --yes' },
    );
  }
  const { secret } = await settingsOfProfile(name, profile, context).credential();
  const stored = Object.values<Setting<unknown>>(settings).flatMap(({ env, profileKey }) => {
    const value = profileKey && profile[profileKey];
    return env === undefined || value === undefined ? [] : [[env, String(value)] as const];
  });
  return {
    ...Object.fromEntries(stored),
    [settings.secret.env]: secret,
    ...(profile.readOnly ? readOnlyVariable : {}),
  };
}

/** Notes what variables cannot pass on. @param taker the program that gets the variables, such as `this shell` */
export async function noteLimits(
  name: string,
  { readOnly, dialect }: Profile,
  taker: string,
  { note }: Context,
): Promise<void> {
  const profile = `profile ${JSON.stringify(name)}`;
  if (readOnly)
    await note(
      `${profile} is read-only for orgctl, also in ${taker} (${settings.readOnly.env}=1); other programs that get its key can do more`,
    );
  if (dialect !== undefined)
    await note(`${profile} pins a dialect, which no variable passes on; orgctl uses it with -p ${name}`);
}
