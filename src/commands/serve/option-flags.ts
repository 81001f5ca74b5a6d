import { type OptionName, withOptionsRenamed } from '../../contract/server-option.js';
import { OrgctlError } from '../../errors.js';

/** What each option of the library is on the command line: a flag, or a variable. */
const flags: Readonly<Record<OptionName, string>> = {
  host: '--host',
  port: '--port',
  'console.port': '--console-port',
  http: '--http',
  'tls.cert': '--tls-cert',
  'tls.key': '--tls-key',
  tlsNames: '--tls-name',
  controlHosts: '--control-host',
  data: '--data',
  database: '--database or ORGCTL_SERVE_DATABASE',
  masterKey: 'ORGCTL_SERVE_MASTER_KEY',
  newMasterKey: 'ORGCTL_SERVE_NEW_MASTER_KEY',
  'bootstrap.keyId': '--bootstrap-key-id',
  'bootstrap.secret': 'ORGCTL_SERVE_SECRET',
  "quotas['api-keys']": '--quota api-keys=',
  faults: '--fault',
  force: '--force',
};

const flagOf: ReadonlyMap<string, string> = new Map(Object.entries(flags));

/** Does what `orgctl/server` offers, with errors that name flags where the library names its options. */
export function namingFlags<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch((error: unknown) => {
    if (!(error instanceof OrgctlError)) throw error;
    const { hint, problems } = error.details;
    throw Object.assign(error, {
      message: inFlags(error.message),
      details: {
        ...error.details,
        hint: hint === undefined ? undefined : inFlags(hint),
        problems: problems?.map(inFlags),
      },
    });
  });
}

function inFlags(text: string): string {
  return withOptionsRenamed(text, (name, value) => {
    const flag = flagOf.get(name);
    if (flag === undefined || value === undefined) return flag;
    return flag.endsWith('=') ? `${flag}${value}` : `${flag} ${value}`;
  });
}
