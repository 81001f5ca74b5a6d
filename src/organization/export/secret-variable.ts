import { createHash } from 'node:crypto';

export interface SecretValue {
  readonly name: string;
  /** Only if the connection's name is not unique. */
  readonly id?: string | undefined;
  readonly path: readonly (string | number)[];
}

const longestVariable = 60;

// Each name of this form has its own variable; names with capitals or other separators could share a variable.
const plainName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
// Excludes `db`, which separates name and setting in a variable, and endings that look like a hash.
const plainSetting = /^(?!.*[0-9a-f]{16}$)(?!(?:.*_)?db(?:_|$))[a-z0-9]+(?:_[a-z0-9]+)*$/;

/** Such as `APP_DB_PASSWORD`; a hash is added if another name or setting could have the same variable. */
export function nameVariable({ name, id, path }: SecretValue): string {
  const setting = path.join('_');
  const isPlain = id === undefined && path.length === 1 && plainSetting.test(setting) && plainName.test(name);
  const words = `${splitWords(name) || 'CONNECTION'}_DB_${splitWords(setting) || 'SETTING'}`;
  const variable = /^\d/.test(words) ? `_${words}` : words;
  if (isPlain && name.length <= longestVariable && setting.length <= longestVariable) return variable;
  const hash = createHash('sha256')
    .update(JSON.stringify([name, id ?? null, path]))
    .digest('hex');
  return `${variable}_${hash.slice(0, 16).toUpperCase()}`;
}

function splitWords(text: string): string {
  const words = text
    .slice(0, longestVariable)
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_');
  return words.replace(/^_|_$/g, '');
}
