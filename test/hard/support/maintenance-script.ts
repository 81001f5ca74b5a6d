import { backUpData, restoreData } from '../../../src/server/maintenance/backup-data.js';

// Tells when it begins, so that it can be killed in the middle.
process.stdout.write('begun\n');
const [, , verb = '', data = '', file = ''] = process.argv;
if (verb === 'backup') await backUpData({ data, file });
else await restoreData({ data, file, force: true });
