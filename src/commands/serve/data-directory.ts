import { posix, win32 } from 'node:path';

/** What decides where the server keeps its data. */
export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly homedir: string;
}

/** The platform's directory for data that a program keeps by itself (XDG on Linux). */
export function dataDirectory({ env, platform, homedir }: Place): string {
  if (platform === 'win32') {
    return win32.join(env['LOCALAPPDATA'] || win32.join(homedir, 'AppData', 'Local'), 'orgctl', 'serve');
  }
  if (platform === 'darwin') return posix.join(homedir, 'Library', 'Application Support', 'orgctl', 'serve');
  // A relative path is invalid there and to be ignored (XDG Base Directory Specification, "Basics").
  const xdg = env['XDG_DATA_HOME'];
  const data = xdg && posix.isAbsolute(xdg) ? xdg : posix.join(homedir, '.local', 'share');
  return posix.join(data, 'orgctl', 'serve');
}
