import { replay } from './transcript.js';

replay('apply-prune.txt');
