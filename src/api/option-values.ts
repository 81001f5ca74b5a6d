/** The formats that `--output` takes (contract, section 1, "Global options"). */
export const outputFormats = ['table', 'json', 'jsonl', 'yaml', 'csv'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** What `--output` takes: `wide` is a table with every column, never cut. */
export const outputChoices = [...outputFormats, 'wide'] as const;
export type OutputChoice = (typeof outputChoices)[number];

/** How a request is authenticated: `--auth` (reference, section 5). */
export const authModes = ['hmac', 'basic'] as const satisfies readonly AuthMode[];
/** `hmac`: each request is signed; `basic`: the secret itself is sent (reference, section 5). */
export type AuthMode = 'hmac' | 'basic';

/** How long a call may take, in milliseconds, and how often it is tried again, unless said otherwise (contract, section 1). */
export const defaultPatience = { timeout: 30_000, deadline: 120_000, retries: 3 } as const;

/** When output is coloured: `--color`. */
export const colorModes = ['auto', 'always', 'never'] as const;
export type ColorMode = (typeof colorModes)[number];

/** What `--ca-file` takes in the place of a path: the certificate authorities that the operating system trusts. */
export const systemStore = 'system';
