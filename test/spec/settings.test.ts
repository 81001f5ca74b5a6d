import { replay } from './transcript.js';

for (const name of ['settings', 'profile', 'doctor', 'targets', 'read-only']) replay(name);
