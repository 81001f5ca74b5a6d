import { replay } from './transcript.js';

replay('plans.txt');
