import { replay } from './transcript.js';

for (const name of ['apply', 'apply-prune', 'diff', 'plans', 'export', 'secrets']) replay(name);
