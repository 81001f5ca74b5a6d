import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import type { Profile } from '../../profiles/file/profile-file.js';
import { type Setting, settings } from '../../profiles/settings/settings.js';
import { settingsOfProfile } from '../settings-of-profile.js';

export const yesToSecret = [
  '-y, --yes',
  'also pass on a secret that is in the keyring or printed by a command',
] as const;

/** A profile's `ORGCTL_*` variables, with its secret. @throws UsageError unless stored or `isSure`; ConfigError */
export async function profileEnvironment(
  name: string,
  profile: Profile,
  isSure: boolean,
  context: Pick<Context, 'system' | 'signal'>,
): Promise<Record<string, string>> {
  const place = describeKeeper(profile);
  if (place !== undefined && !isSure) {
    throw new UsageError(
      `the secret of profile ${JSON.stringify(name)} is ${place}, and would become visible in an environment`,
      {
        hint: 'to allow it, pass --yes',
      },
    );
  }
  const { secret } = await settingsOfProfile(name, profile, context).credential();
  const stored = Object.values<Setting<unknown>>(settings).flatMap(({ env, profileKey }) => {
    const value = profileKey && profile[profileKey];
    return env === undefined || value === undefined ? [] : [[env, String(value)] as const];
  });
  return { ...Object.fromEntries(stored), [settings.secret.env]: secret };
}

function describeKeeper({ keyring, secretCommand }: Profile): string | undefined {
  if (keyring) return 'in the keyring';
  return secretCommand === undefined ? undefined : 'printed by a command';
}
