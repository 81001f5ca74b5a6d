import { replay } from './transcript.js';

replay('targets.txt');
