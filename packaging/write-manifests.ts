import { output } from './contents.js';
import { writeManifests } from './manifests.js';

// Writes checksums, formula and manifest for archives from other machines.
writeManifests(output);
