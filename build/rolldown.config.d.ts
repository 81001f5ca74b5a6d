import type { InputOptions, OutputOptions } from 'rolldown';

export declare const commandLine: InputOptions & { readonly output: OutputOptions };
