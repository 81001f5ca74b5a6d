import { replay } from './transcript.js';

replay('apply.txt');
