/** An option of the embedded server and of what looks after its data, as the library takes it. */
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
  | 'faults'
  | 'dialect'
  | 'stubs'
  | 'force';

/** An option of the client that errors name. */
export type ClientOptionName = 'baseUrl' | 'caFile' | 'deadline' | 'retries' | 'timeout';

/** How errors of the libraries name an option, with a value or without: `` `port` ``, `` `port: 0` ``. */
export function option(name: OptionName | ClientOptionName, value?: string | number): string {
  return value === undefined ? `\`${name}\`` : `\`${name}: ${value}\``;
}

/** A text in which options, named as `option` does, have other names. */
export function withOptionsRenamed(
  text: string,
  rename: (name: string, value: string | undefined) => string | undefined,
): string {
  return text.replace(/`([\w.[\]'-]+)(?:: ([^`]*))?`/g, (written, name: string, value?: string) => {
    return rename(name, value) ?? written;
  });
}
