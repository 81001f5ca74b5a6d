import { replay } from './transcript.js';

replay('foreign-lists.txt');
