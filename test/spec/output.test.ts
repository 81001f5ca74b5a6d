import { replay } from './transcript.js';

for (const name of ['output-formats', 'errors', 'completion', 'sign', 'request', 'openapi']) replay(name);
