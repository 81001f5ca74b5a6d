import { profileStore } from '../../../src/profiles/file/store.js';

const [, , name = '', umask = ''] = process.argv;
process.umask(Number.parseInt(umask, 8));
const store = profileStore({ env: process.env, platform: process.platform, homedir: '/nowhere' });

process.stdout.write('ready\n');
for await (const _ of process.stdin) {
  // Its end is the sign to begin.
}

await store.add(name, { baseUrl: 'https://api.example.com', keyId: `key_${name}`, secret: 'stored' });
