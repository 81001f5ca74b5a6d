/** The formats that `--output` takes (contract, section 1, "Global options"). */
export const outputFormats = ['table', 'json', 'jsonl', 'yaml', 'csv'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** How a request is authenticated: `--auth` (reference, section 5). */
export const authModes = ['hmac', 'basic'] as const;
export type AuthMode = (typeof authModes)[number];

/** When output is coloured: `--color`. */
export const colorModes = ['auto', 'always', 'never'] as const;
export type ColorMode = (typeof colorModes)[number];

/** What `--ca-file` takes in the place of a path: the certificate authorities that the operating system trusts. */
export const systemStore = 'system';
