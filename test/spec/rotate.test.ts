import { replay } from './transcript.js';

replay('rotate.txt');
