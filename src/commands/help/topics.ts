import { exitCodeMeanings, exitCodes } from '../../exit.js';
import type { View } from '../../terminal/printer.js';

/** A page of help that belongs to no one command. It is data, so it prints in every format. */
export interface Topic {
  readonly name: string;
  readonly summary: string;
  readonly rows: () => readonly object[];
  readonly view: View<object>;
}

export const topics: readonly Topic[] = [
  {
    name: 'exit-codes',
    summary: 'what a script can decide by',
    rows: () =>
      exitCodeMeanings.map(([code, when]) => ({
        exit: code === undefined ? 0 : exitCodes[code],
        code,
        when,
      })),
    view: {
      columns: [
        { header: 'EXIT', value: 'exit', align: 'right' },
        { header: 'CODE', value: 'code' },
        { header: 'WHEN', value: 'when' },
      ],
    },
  },
  {
    name: 'environment',
    summary: 'the variables that orgctl reads',
    rows: () => environment.map(([variable, meaning]) => ({ variable, meaning })),
    view: {
      columns: [
        { header: 'VARIABLE', value: 'variable' },
        { header: 'MEANING', value: 'meaning' },
      ],
    },
  },
];

const environment: readonly (readonly [string, string])[] = [
  ['ORGCTL_PROFILE', 'stored profile, as --profile'],
  ['ORGCTL_BASE_URL', 'address of the service, as --base-url'],
  ['ORGCTL_KEY_ID', 'API key ID, as --key-id'],
  ['ORGCTL_SECRET', 'API key secret; there is no flag for it'],
  ['ORGCTL_AUTH', 'hmac or basic, as --auth'],
  ['ORGCTL_CA_FILE', 'PEM file of further CAs, as --ca-file'],
  ['ORGCTL_OUTPUT', 'output format, as --output'],
  ['ORGCTL_TIMEOUT', 'for one attempt, as --timeout'],
  ['ORGCTL_DEADLINE', 'for all attempts together, as --deadline'],
  ['ORGCTL_RETRIES', 'further attempts, as --retries'],
  ['ORGCTL_CONFIG_DIR', "where profiles are kept; default the platform's"],
  ['ORGCTL_SERVE_SECRET', 'serve: secret of the first API key'],
  ['ORGCTL_SERVE_MASTER_KEY', 'serve: key for what is encrypted at rest, 64 hex characters'],
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'proxies; never used for loopback hosts'],
  ['NO_COLOR, FORCE_COLOR', 'colour off, colour on'],
];
