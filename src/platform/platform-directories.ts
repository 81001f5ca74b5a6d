import { posix, win32 } from 'node:path';

export interface Platform {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homedir: string;
}

/** A variable that names the parent directory, and the default below the home. */
interface Place {
  readonly linux: readonly [variable: string, below: string];
  readonly win32: readonly [variable: string, below: string];
}

const config: Place = {
  linux: ['XDG_CONFIG_HOME', '.config'],
  win32: ['APPDATA', 'AppData\\Roaming'],
};
const data: Place = {
  linux: ['XDG_DATA_HOME', '.local/share'],
  win32: ['LOCALAPPDATA', 'AppData\\Local'],
};

export function configDirectory(system: Platform): string {
  const { env, platform } = system;
  const chosen = env['ORGCTL_CONFIG_DIR'];
  if (chosen) return pathsOf(platform).resolve(chosen);
  return choosePlace(config, system, platform === 'win32' ? ['orgctl', 'Config'] : ['orgctl']);
}

export function dataDirectory(system: Platform): string {
  return choosePlace(data, system, ['orgctl', 'serve']);
}

function choosePlace(place: Place, { env, platform, homedir }: Platform, below: readonly string[]): string {
  const path = pathsOf(platform);
  // Not Preferences, which is only for property lists.
  if (platform === 'darwin') return path.join(homedir, 'Library/Application Support', ...below);
  const [variable, byDefault] = platform === 'win32' ? place.win32 : place.linux;
  const chosen = env[variable];
  // Relative paths are invalid (XDG Base Directory Specification, "Basics").
  const base = chosen && path.isAbsolute(chosen) ? chosen : path.join(homedir, byDefault);
  return path.join(base, ...below);
}

function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
