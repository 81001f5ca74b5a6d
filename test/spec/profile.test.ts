import { replay } from './transcript.js';

replay('profile.txt');
