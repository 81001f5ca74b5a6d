import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeMasterKey } from '../../src/server/data/rotate-master-key.js';
import { backUpData } from '../../src/server/maintenance/backup-data.js';
import { checkData } from '../../src/server/maintenance/check-data.js';
import { restoreData } from '../../src/server/maintenance/restore-data.js';
import { listConnections, useUsedDirectories } from './support/stored-connections.js';

const { servers, usedDirectory } = useUsedDirectories();

describe('restoring after a change of the master key', () => {
  it('opens the backup with the old key in the ring, as long as that is there', async () => {
    const { data, id } = await usedDirectory();
    const file = join(await servers.directory(), 'b.db');
    const { fingerprint } = await backUpData({ data, file });
    await changeMasterKey({ data });
    expect(await checkData({ data })).toMatchObject({ oldFingerprints: [fingerprint] });
    await restoreData({ data, file, force: true });
    const restored = await checkData({ data });
    expect(restored).toMatchObject({ connections: 1, fingerprint });
    const server = await servers.start({ data });
    expect(await listConnections(server)).toEqual([id]);
    await server.close();

    const [newest = ''] = readFileSync(join(data, 'master.key'), 'utf8').split('\n');
    const other = await servers.directory();
    copyFileSync(join(data, 'master.key'), join(other, 'master.key'));
    writeFileSync(join(other, 'master.key'), `${newest}\n`);
    const refused = restoreData({ data: other, file });
    await expect(refused).rejects.toThrow(`needs the master key ${fingerprint}`);
  });
});
