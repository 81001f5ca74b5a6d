import { replay } from './transcript.js';

replay('errors.txt');
