import { replay } from './transcript.js';

replay('request.txt');
