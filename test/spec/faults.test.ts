import { replay } from './transcript.js';

replay('faults.txt');
