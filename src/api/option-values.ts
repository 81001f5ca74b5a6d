const outputFormats = ['table', 'json', 'jsonl', 'yaml', 'csv'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** `wide` is a table with every column and no truncation. */
export const outputChoices = [...outputFormats, 'wide'] as const;
export type OutputChoice = (typeof outputChoices)[number];

export const authModes = ['hmac', 'basic'] as const satisfies readonly AuthMode[];
/** `hmac` signs each request; `basic` sends the secret itself. */
export type AuthMode = 'hmac' | 'basic';

export const defaultPatience = { timeout: 30_000, deadline: 120_000, retries: 3 } as const;

export const colorModes = ['auto', 'always', 'never'] as const;
export type ColorMode = (typeof colorModes)[number];

export const systemStore = 'system';
