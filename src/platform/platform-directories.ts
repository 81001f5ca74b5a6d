import { posix, win32 } from 'node:path';

export interface Platform {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homedir: string;
}

interface Places {
  readonly linux: readonly [variable: string, below: string];
  readonly darwin: string;
  readonly win32: readonly [variable: string, below: string];
}

const configPlaces: Places = {
  linux: ['XDG_CONFIG_HOME', '.config'],
  // Not Preferences, which is only for property lists.
  darwin: 'Library/Application Support',
  win32: ['APPDATA', 'AppData\\Roaming'],
};
const data: Places = {
  linux: ['XDG_DATA_HOME', '.local/share'],
  darwin: 'Library/Application Support',
  win32: ['LOCALAPPDATA', 'AppData\\Local'],
};
const cache: Places = {
  linux: ['XDG_CACHE_HOME', '.cache'],
  darwin: 'Library/Caches',
  win32: ['LOCALAPPDATA', 'AppData\\Local'],
};

export function configDirectory(system: Platform): string {
  const { env, platform } = system;
  const chosen = env['ORGCTL_CONFIG_DIR'];
  if (chosen) return choosePathModule(platform).resolve(chosen);
  return platform === 'win32'
    ? choosePlace(configPlaces, system, 'orgctl', 'Config')
    : choosePlace(configPlaces, system, 'orgctl');
}

export function dataDirectory(system: Platform): string {
  return choosePlace(data, system, 'orgctl', 'serve');
}

export function cacheDirectory({ env, platform }: Omit<Platform, 'homedir'>): string | undefined {
  const homedir = platform === 'win32' ? '' : (env['HOME'] ?? '');
  const directory = choosePlace(cache, { env, platform, homedir }, 'orgctl');
  return choosePathModule(platform).isAbsolute(directory) ? directory : undefined;
}

function choosePlace(
  places: Places,
  { env, platform, homedir }: Platform,
  ...below: readonly string[]
): string {
  if (platform === 'darwin') return posix.join(homedir, places.darwin, ...below);
  const path = choosePathModule(platform);
  const [variable, byDefault] = platform === 'win32' ? places.win32 : places.linux;
  const chosen = env[variable];
  // Relative paths are invalid (XDG Base Directory Specification, "Basics").
  const base = chosen && path.isAbsolute(chosen) ? chosen : path.join(homedir, byDefault);
  return path.join(base, ...below);
}

function choosePathModule(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
