import { replay } from './transcript.js';

replay('quotas.txt', { quotas: { 'api-keys': 5, connections: 4, teams: 3 } });
