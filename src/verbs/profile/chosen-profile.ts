import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import {
  findProfile,
  noCurrentProfile,
  type Profile,
  type ProfileFile,
  unknownProfile,
} from '../../profiles/file/profile-file.js';
import { describeSource, type Flags, givenSetting, settings } from '../../profiles/settings/settings.js';

interface ChosenProfile {
  readonly file: ProfileFile;
  readonly name: string;
  readonly profile: Profile;
}

/**
 * The profile that a verb shows: its argument, or else --profile, ORGCTL_PROFILE or the current profile.
 * @throws ConfigError for an unknown name, and without any
 */
export async function chooseProfile(
  argument: string | undefined,
  { profiles, flags, system }: Pick<Context, 'profiles' | 'flags' | 'system'>,
): Promise<ChosenProfile> {
  const given = argument === undefined ? givenSetting(settings.profile, flags(), system.env) : undefined;
  const file = await profiles().read();
  const name = argument ?? given?.value ?? file.current;
  if (name === undefined) throw noCurrentProfile(file);
  const profile = findProfile(file, name);
  if (profile === undefined) throw unknownProfile(file, name, given && describeSource(given.source));
  return { file, name, profile };
}

/** @throws UsageError if --profile names another profile than the argument */
export function assertOneProfile(argument: unknown, { profile }: Flags): void {
  if (profile === undefined || typeof argument !== 'string' || argument === profile) return;
  throw new UsageError(
    `two profiles are named: ${JSON.stringify(argument)} and, with --profile, ${JSON.stringify(profile)}`,
    { hint: 'name one of them' },
  );
}
