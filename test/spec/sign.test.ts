import { replay } from './transcript.js';

replay('sign.txt');
