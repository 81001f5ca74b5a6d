import { posix, win32 } from 'node:path';

/** What decides where profiles are kept. */
export interface Platform {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homedir: string;
}

/**
 * The directory that holds the profiles: `ORGCTL_CONFIG_DIR`, else the platform's. On macOS that is Application
 * Support, since Preferences is for property lists alone [ours].
 */
export function configDirectory({ env, platform, homedir }: Platform): string {
  const chosen = env['ORGCTL_CONFIG_DIR'];
  const path = platform === 'win32' ? win32 : posix;
  if (chosen) return path.resolve(chosen);
  if (platform === 'darwin') return path.join(homedir, 'Library', 'Application Support', 'orgctl');
  if (platform === 'win32') {
    return path.join(env['APPDATA'] || path.join(homedir, 'AppData', 'Roaming'), 'orgctl', 'Config');
  }
  // A relative path is invalid there and to be ignored (XDG Base Directory Specification, "Basics").
  const xdg = env['XDG_CONFIG_HOME'];
  return path.join(xdg && path.isAbsolute(xdg) ? xdg : path.join(homedir, '.config'), 'orgctl');
}
