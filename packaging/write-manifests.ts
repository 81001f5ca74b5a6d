import { output } from './contents.js';
import { writeManifests } from './manifests.js';

// Checksums, formula and manifest of archives that other machines have made.
writeManifests(output);
