import { replay } from './transcript.js';

replay('local.txt');
