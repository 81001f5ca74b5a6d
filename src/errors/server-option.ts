export type OptionName =
  | 'host'
  | 'port'
  | 'console.port'
  | 'http'
  | 'tls.cert'
  | 'tls.key'
  | 'tlsNames'
  | 'controlHosts'
  | 'data'
  | 'database'
  | 'masterKey'
  | 'newMasterKey'
  | 'bootstrap.keyId'
  | 'bootstrap.secret'
  | "quotas['api-keys']"
  | 'maxSkew'
  | 'dialect'
  | 'stubs'
  | 'force';

export type ClientOptionName = 'baseUrl' | 'caFile' | 'deadline' | 'retries' | 'timeout';

/** An option in a message: `` `port` ``, `` `port: 0` ``. */
export function option(name: OptionName | ClientOptionName, value?: string | number): string {
  return value === undefined ? `\`${name}\`` : `\`${name}: ${value}\``;
}

export function withOptionsRenamed(
  text: string,
  rename: (name: string, value: string | undefined) => string | undefined,
): string {
  return text.replace(/`([\w.[\]'-]+)(?:: ([^`]*))?`/g, (written, name: string, value?: string) => {
    return rename(name, value) ?? written;
  });
}
