import { replay } from './transcript.js';

replay('foreign-answers.txt');
