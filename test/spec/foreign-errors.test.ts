import { replay } from './transcript.js';

replay('foreign-errors.txt');
