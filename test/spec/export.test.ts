import { replay } from './transcript.js';

replay('export.txt');
