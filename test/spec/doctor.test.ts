import { replay } from './transcript.js';

replay('doctor.txt');
