import { replay } from './transcript.js';

for (const name of ['local', 'logs', 'proxy', 'serve-maintenance']) replay(name);
