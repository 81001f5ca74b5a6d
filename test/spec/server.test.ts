import { replay } from './transcript.js';

for (const name of ['serve', 'odd-files', 'help']) replay(name);
