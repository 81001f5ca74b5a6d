import { replay } from './transcript.js';

replay('teams.txt');
