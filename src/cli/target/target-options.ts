import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { resources } from '../../api/resources/index.js';
import type { AddOptions } from '../../errors/advice.js';
import { OrgctlError } from '../../errors/errors.js';
import { dataDirectory } from '../../platform/platform-directories.js';
import { localProfile, type Profile } from '../../profiles/file/profile-file.js';
import type { ResolvedSettings } from '../../profiles/resolve.js';
import { displayKeyId } from '../../profiles/settings/secret.js';
import {
  type Flags,
  givenSetting,
  type Setting,
  type SettingsEnvironment,
  settings,
} from '../../profiles/settings/settings.js';
import type { System } from '../../terminal/process/system.js';
import { isSameOrigin } from '../../text/base-url.js';
import { isPostgresUrlWithoutPassword } from '../../text/postgres-url.js';

/** Options of `local` and `serve` that choose a server, as typed. */
interface ServerFlags {
  readonly data?: string | undefined;
  readonly database?: string | undefined;
  /** `true` without a port. */
  readonly proxy?: string | true | undefined;
}

/** An option with its value as words, and all its names. */
interface TargetOption {
  readonly names: readonly string[];
  readonly words: readonly string[];
  /** From an environment variable, which may be set for this command line only. */
  readonly isVariable?: boolean;
}

/** Options that make a suggested command act on the same service and server as this command line. */
interface Target {
  readonly service: readonly TargetOption[];
  readonly server: readonly TargetOption[];
}

/** Commands that accept the options of `Target.service`. */
const commandsOfService: ReadonlySet<string> = new Set([
  ...resources.map(({ kind }) => kind),
  ...['apply', 'diff', 'doctor', 'exec', 'export', 'probe', 'proxy', 'quotas', 'request', 'sign', 'whoami'],
]);

const commandsOfServer: ReadonlySet<string> = new Set(['local', 'serve']);

/** Verbs of `orgctl local` that accept `--proxy`. */
const verbsOfProxy: ReadonlySet<string> = new Set(['console', 'logs', 'status']);

/** Verbs of `orgctl serve` that accept `--database`. */
const verbsOfDatabase: ReadonlySet<string> = new Set(['check', 'forget-master-key', 'rotate-master-key']);

const profileNames: readonly string[] = ['-p', '--profile'];
const saveNames: readonly string[] = ['--save-profile'];

interface TargetContext {
  readonly system: Pick<System, 'env' | 'platform'>;
  readonly home: string;
  flags(): Flags;
  settings(): Pick<ResolvedSettings, 'profile' | 'baseUrl'>;
}

/** Returns a function that adds the options of this command line's target to a command. */
export async function openAdder(
  context: TargetContext,
  command: CommandUnknownOpts | undefined,
): Promise<AddOptions> {
  const target = await findTarget(context, command);
  return (words) => addTarget(words, target);
}

async function findTarget(context: TargetContext, command: CommandUnknownOpts | undefined): Promise<Target> {
  const typed = command && readServerFlags(command);
  const { env } = context.system;
  return {
    get service() {
      return serviceOptions(context.flags(), env);
    },
    server: typed === undefined ? await findServer(context) : serverOptions(typed, env),
  };
}

/** For commands about a profile other than the one in use. */
export function aimAtProfile(name: string, profile: Profile): AddOptions {
  const service = [{ names: profileNames, words: ['-p', name] }];
  const server = profile.managedBy === undefined ? [] : serverOfProfile(name, profile);
  return (words) => addTarget(words, { service, server });
}

/** For commands about a profile that is not stored yet. */
export function aimAtService({ baseUrl, keyId, auth, caFile }: Profile): AddOptions {
  const service = serviceOptions({ baseUrl, keyId, auth, caFile }, {});
  return (words) => addTarget(words, { service, server: [] });
}

/** Inserts the target's options that the command accepts and does not have yet, before any `--`. */
function addTarget(words: readonly string[], { service, server }: Target): readonly string[] {
  const dashes = words.indexOf('--');
  const own = dashes === -1 ? words : words.slice(0, dashes);
  const [command = '', verb = ''] = own.slice(own.indexOf('orgctl') + 1);
  const has = (names: readonly string[]) => own.some((word) => names.some((name) => isOption(word, name)));
  if (!own.includes('orgctl') || has(['--help', '-h'])) return words;
  const missing = takenOptions(command, verb, { service, server }).filter(({ names }) => !has(names));
  // A command that names a profile has its own target.
  if (missing.length === 0 || has(profileNames)) return words;
  return [...own, ...missing.flatMap((option) => option.words), ...words.slice(own.length)];
}

/** Whether a word is this option, also with its value, as in `--data=DIR` and `-pNAME`. */
function isOption(word: string, name: string): boolean {
  return word === name || word.startsWith(name.startsWith('--') ? `${name}=` : name);
}

/** `undefined` unless the command is for a server: options of other commands may have the same names. */
function readServerFlags(command: CommandUnknownOpts): ServerFlags | undefined {
  if (!commandsOfServer.has(topCommand(command).name())) return undefined;
  const { data, database, proxy } = command.opts();
  return {
    data: typeof data === 'string' ? data : undefined,
    database: typeof database === 'string' ? database : undefined,
    proxy: typeof proxy === 'string' || proxy === true ? proxy : undefined,
  };
}

function topCommand(command: CommandUnknownOpts): CommandUnknownOpts {
  const { parent } = command;
  return parent === null || parent.parent === null ? command : topCommand(parent);
}

function takenOptions(command: string, verb: string, { service, server }: Target): readonly TargetOption[] {
  if (command === 'whoami') return optionsOfWhoami(service);
  if (commandsOfService.has(command)) return service;
  if (!commandsOfServer.has(command)) return [];
  const takesProxy = command === 'local' && verbsOfProxy.has(verb);
  const takesDatabase = command === 'serve' && verbsOfDatabase.has(verb);
  return server
    .filter(({ names }) => takesProxy || !names.includes('--proxy'))
    .filter(({ names }) => takesDatabase || !names.includes('--database'))
    .filter(({ names }) => startsServer(command, verb) || names !== saveNames)
    .filter(({ words }) => command === 'local' || words !== unknownData);
}

/** Whether this is `orgctl serve` itself; the verbs of `serve` save no profile. */
function startsServer(command: string, verb: string): boolean {
  return command === 'serve' && (verb === '' || verb.startsWith('-'));
}

/** Omits options from variables, because `whoami` shows these anyway. Keeps a profile if it is the only such option. */
function optionsOfWhoami(service: readonly TargetOption[]): readonly TargetOption[] {
  const [first, ...others] = service.filter(({ isVariable }) => isVariable);
  const isProfile = first?.names === profileNames && others.length === 0;
  return isProfile ? service : service.filter(({ isVariable }) => !isVariable);
}

/** Typed options, and options from variables unless a profile is typed, which takes precedence over them. */
function serviceOptions(flags: Flags, variables: SettingsEnvironment): readonly TargetOption[] {
  const env = flags.profile === undefined ? variables : {};
  const option = (setting: Setting<unknown>, placeholder: string, names?: readonly string[]) => {
    const { flag } = setting;
    const typed = flag && flags[flag.key];
    const text = typed ?? ((setting.env && env[setting.env]) || undefined);
    if (flag === undefined || text === undefined) return [];
    const given = typed === undefined ? { ...flags, [flag.key]: text } : flags;
    const [name = ''] = names ?? [flag.option];
    const words = [name, isShowable(setting, given) ? text : placeholder];
    return [{ names: names ?? [name], words, isVariable: typed === undefined }];
  };
  return [
    ...option(settings.profile, 'NAME', profileNames),
    ...option(settings.baseUrl, 'URL'),
    ...option(settings.keyId, 'KEY_ID'),
    ...option(settings.auth, 'MODE'),
    ...option(settings.caFile, 'FILE'),
    ...(flags.allowHost ? [{ names: ['--allow-host'], words: ['--allow-host'] }] : []),
  ];
}

/** Invalid values are not shown: they may contain a secret. */
function isShowable(setting: Setting<unknown>, flags: Flags): boolean {
  const { keyId } = flags;
  if (setting.flag?.key === 'keyId' && keyId !== undefined && displayKeyId(keyId) !== keyId) return false;
  try {
    return givenSetting(setting, flags, {}) !== undefined;
  } catch (error) {
    if (error instanceof OrgctlError) return false;
    throw error;
  }
}

function serverOptions(
  { data, database, proxy }: ServerFlags,
  env: SettingsEnvironment,
): readonly TargetOption[] {
  const port = proxy === true || proxy === undefined ? [] : [proxy];
  const isByVariable = data === undefined && proxy === undefined && hasControlVariable(env);
  const isUnknown = isByVariable && !isInServe(env);
  return [
    ...(isUnknown ? [unknownServer] : dataOption(data)),
    ...databaseOption(database),
    ...(proxy === undefined ? [] : [{ names: ['--proxy'], words: ['--proxy', ...port] }]),
  ];
}

function dataOption(data: string | undefined): readonly TargetOption[] {
  return data === undefined ? [] : [{ names: ['--data'], words: ['--data', data] }];
}

/** Shows no malformed URL: it may contain a password. */
function databaseOption(database: string | undefined): readonly TargetOption[] {
  if (database === undefined) return [];
  const words = ['--database', isPostgresUrlWithoutPassword(database) ? database : 'URL'];
  return [{ names: ['--database'], words }];
}

/** With what makes `serve` update this profile, not `local`. */
function serverOfProfile(name: string, { data }: Profile): readonly TargetOption[] {
  const save = { names: saveNames, words: ['--save-profile', name] };
  return [...dataOption(data), ...(name === localProfile ? [] : [save])];
}

/** A placeholder if no profile or option names the server, so that a pasted command does not act on another one. */
const unknownData: readonly string[] = ['--data', 'DIR'];
const unknownServer: TargetOption = { names: ['--data'], words: unknownData };

function hasControlVariable(env: SettingsEnvironment): boolean {
  return Boolean(env['ORGCTL_CONTROL_URL'] || env['ORGCTL_CONTROL_TOKEN']);
}

/** Whether the variables are those of `serve -- COMMAND`: they last, and its server may have no data directory. */
function isInServe(env: SettingsEnvironment): boolean {
  const { ORGCTL_BASE_URL: service, ORGCTL_CONTROL_URL: control, ORGCTL_CONTROL_TOKEN: token } = env;
  return Boolean(token) && isSameOrigin(service ?? '', control ?? '');
}

/** Options for the server that maintains the profile in use; none if `local` finds that server without options. */
async function findServer({ settings, system, home }: TargetContext): Promise<readonly TargetOption[]> {
  try {
    const { name = localProfile, profile } = (await settings().profile()) ?? {};
    const baseUrl = await settings().baseUrl();
    const { env, platform } = system;
    if (baseUrl?.source.kind === 'env' && isInServe(env)) return [];
    const isElsewhere = hasControlVariable(env);
    const isManaged = baseUrl?.source.kind === 'profile' && profile?.managedBy !== undefined;
    if (!isManaged) return baseUrl === undefined && !isElsewhere ? [] : [unknownServer];
    const isDefault = profile.data === dataDirectory({ env, platform, homedir: home });
    const options = serverOfProfile(name, profile);
    return isDefault && !isElsewhere ? options.filter(({ names }) => names === saveNames) : options;
  } catch {
    // A failure here must not hide the error that needs a hint.
    return [];
  }
}
