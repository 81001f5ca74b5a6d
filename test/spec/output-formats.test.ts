import { replay } from './transcript.js';

replay('output-formats.txt');
