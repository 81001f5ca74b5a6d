import type { InputOptions, OutputOptions } from 'rolldown';

declare const config: readonly (InputOptions & { readonly output: OutputOptions })[];
export default config;
