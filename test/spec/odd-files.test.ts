import { replay } from './transcript.js';

replay('odd-files.txt');
