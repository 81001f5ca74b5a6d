import { replay } from './transcript.js';

replay('foreign-records.txt');
