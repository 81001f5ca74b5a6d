import { createRequire } from 'node:module';
import { profileStore } from '../../../src/profiles/file/store.js';

const [, , action = '', name = '', umask = ''] = process.argv;
process.umask(Number.parseInt(umask, 8));
const store = profileStore({ env: process.env, platform: process.platform, homedir: '/nowhere' });

process.stdout.write('ready\n');
for await (const _ of process.stdin) {
  // Its end is the sign to begin.
}

if (action === 'add') {
  await store.add(name, { baseUrl: 'https://api.example.com', keyId: `key_${name}`, secret: 'stored' });
} else {
  await store.list();
}

const loaded = Object.keys(createRequire(import.meta.url).cache);
for (const library of ['ajv', 'proper-lockfile']) {
  if (loaded.some((path) => path.includes(`/node_modules/${library}/`))) process.stdout.write(`${library}\n`);
}
