import type { Option } from '@commander-js/extra-typings';
import { authModes, colorModes, outputChoices } from '../api/option-values.js';

const ofGlobalOptions: Readonly<Record<string, readonly string[]>> = {
  '--auth': authModes,
  '--output': outputChoices,
  '--color': colorModes,
};

/** All values of an option, if they are a closed set. */
export function listChoices({ argChoices, long }: Option): readonly string[] | undefined {
  return argChoices ?? ofGlobalOptions[long ?? ''];
}
