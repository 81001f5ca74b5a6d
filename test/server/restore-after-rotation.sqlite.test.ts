import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeMasterKey } from '../../src/server/data/rotate-master-key.js';
import { backUpData } from '../../src/server/maintenance/backup-data.js';
import { checkData } from '../../src/server/maintenance/check-data.js';
import { restoreData } from '../../src/server/maintenance/restore-data.js';
import { listConnections, useUsedDirectories } from './support/stored-connections.js';

const { servers, usedDirectory } = useUsedDirectories();

describe('restoring after a change of the master key', () => {
  /** A backup, and the data that has another key since. */
  async function changedSince() {
    const { data, id } = await usedDirectory();
    const file = join(await servers.directory(), 'b.db');
    const { fingerprint } = await backUpData({ data, file });
    for (let change = 0; change < 2; change += 1) await changeMasterKey({ data });
    return { data, id, file, fingerprint, key: readFileSync(join(data, 'master.key'), 'utf8') };
  }

  it('finds the key that was kept, and encrypts the data with the current one', async () => {
    const { data, id, file, fingerprint, key } = await changedSince();
    const restored = await restoreData({ data, file, force: true });
    expect(restored).toMatchObject({ backupFingerprint: fingerprint, connections: 1 });
    expect(restored.fingerprint).not.toBe(fingerprint);
    expect(readFileSync(join(data, 'master.key'), 'utf8')).toBe(key);
    const server = await servers.start({ data });
    expect(await listConnections(server)).toEqual([id]);
    await server.close();
    // As an interrupted change leaves it: a current key among the kept ones, which must not seem to be forgettable.
    const kept = join(data, 'old-master-keys', `${restored.fingerprint}.key`);
    await copyFile(join(data, 'master.key'), kept);
    const checked = await checkData({ data });
    expect(checked.fingerprint).toBe(restored.fingerprint);
    expect(checked.oldFingerprints).toContain(fingerprint);
    expect(checked.oldFingerprints).not.toContain(restored.fingerprint);
    await rm(kept);
    // Any copy of the database is a backup, without a fingerprint.
    const copy = join(await servers.directory(), 'copy.db');
    await copyFile(join(data, 'orgctl.db'), copy);
    await changeMasterKey({ data });
    await restoreData({ data, file: copy, force: true });
    expect(await listConnections(await servers.start({ data }))).toEqual([id]);
  });

  it('takes the key that the environment has as the current one', async () => {
    const { data, id, file } = await changedSince();
    const masterKey = '8'.repeat(64);
    await restoreData({ data, file, force: true, masterKey });
    await expect(servers.start({ data })).rejects.toThrow('another master key');
    expect(await listConnections(await servers.start({ data, masterKey }))).toEqual([id]);
  });

  it('elsewhere says which key it needs and where to put it, and then works', async () => {
    const { data, id, file, fingerprint } = await changedSince();
    const kept = join(data, 'old-master-keys', `${fingerprint}.key`);
    const [fresh, used] = [await servers.directory(), await servers.directory()];
    await (await servers.start({ data: used })).close();
    const places = [
      [fresh, join(fresh, 'master.key')],
      [used, join(used, 'old-master-keys', `${fingerprint}.key`)],
    ] as const;
    for (const [other, place] of places) {
      const before = readdirSync(other);
      const refused = restoreData({ data: other, file, force: true });
      await expect(refused).rejects.toMatchObject({
        message: expect.stringContaining(`needs the master key with fingerprint ${fingerprint}`),
        details: { hint: expect.stringContaining(`put it in ${place}`) },
      });
      expect(readdirSync(other)).toEqual(before);
      await mkdir(join(place, '..'), { recursive: true });
      await copyFile(kept, place);
      await restoreData({ data: other, file, force: true });
      expect(await listConnections(await servers.start({ data: other }))).toEqual([id]);
    }
  });

  it('that was interrupted loses neither of the two keys', async () => {
    const { data, file, key } = await changedSince();
    // The data has the key of master.key.new, and the backup is made of it when it had that of master.key.
    const before = join(data, '..', `${Date.now()}.db`);
    await backUpData({ data, file: before });
    await changeMasterKey({ data });
    const committed = readFileSync(join(data, 'master.key'), 'utf8');
    await rm(join(data, 'old-master-keys'), { recursive: true });
    writeFileSync(join(data, 'master.key.new'), committed, { mode: 0o600 });
    writeFileSync(join(data, 'master.key'), key);
    const { replaced = '' } = await restoreData({ data, file: before, force: true });
    await rm(before);
    await (await servers.start({ data })).close();
    expect(readFileSync(join(data, 'master.key'), 'utf8')).toBe(key);
    await restoreData({ data, file: replaced, force: true });
    await expect(restoreData({ data, file, force: true })).rejects.toThrow('needs the master key');
  });

  it('takes a kept key where there is no other, and names one that cannot be read where a key is missing', async () => {
    const { data, file, fingerprint } = await changedSince();
    writeFileSync(join(data, 'old-master-keys', 'bad.key'), 'rubbish', { mode: 0o600 });
    await restoreData({ data, file, force: true });
    await expect(checkData({ data })).rejects.toThrow('bad.key is not 64 hexadecimal characters');
    await rm(join(data, 'master.key'));
    expect(await restoreData({ data, file, force: true })).toMatchObject({ fingerprint });
    for (const place of ['master.key', `old-master-keys/${fingerprint}.key`]) await rm(join(data, place));
    await expect(restoreData({ data, file, force: true })).rejects.toMatchObject({
      details: { problems: [expect.stringContaining('bad.key')] },
    });
  });
});
