import { replay } from './transcript.js';

replay('diff.txt');
