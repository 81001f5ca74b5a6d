import { replay } from './transcript.js';

replay('completion.txt');
