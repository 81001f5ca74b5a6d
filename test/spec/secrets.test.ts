import { replay } from './transcript.js';

replay('secrets.txt');
