import { replay } from './transcript.js';

for (const name of ['api-keys', 'connections', 'teams', 'files-of-many', 'rotate']) replay(name);

replay('quotas', { quotas: { 'api-keys': 5, connections: 4, teams: 3 } });
