import { replay } from './transcript.js';

replay('probe.txt');
