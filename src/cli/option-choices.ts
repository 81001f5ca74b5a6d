import type { Option } from '@commander-js/extra-typings';
import { authModes, colorModes, outputFormats } from '../api/option-values.js';

// The global options are parsed with the variables and profile keys of the same settings, not by commander.
const ofGlobalOptions: Readonly<Record<string, readonly string[]>> = {
  '--auth': authModes,
  '--output': outputFormats,
  '--color': colorModes,
};

/** All values that an option takes, if they are a closed set. */
export function choicesOf({ argChoices, long }: Option): readonly string[] | undefined {
  return argChoices ?? ofGlobalOptions[long ?? ''];
}
