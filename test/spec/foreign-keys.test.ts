import { replay } from './transcript.js';

replay('foreign-keys.txt');
