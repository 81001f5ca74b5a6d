import { replay } from './transcript.js';

replay('read-only.txt');
