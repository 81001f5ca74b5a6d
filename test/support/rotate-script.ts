import { changeMasterKey } from '../../src/server/data/rotate-master-key.js';

// One change of the master key, to be killed; where and to which key is the argument.
console.log('begun');
await changeMasterKey(JSON.parse(process.argv[2] ?? '{}')).then(
  () => console.log('done'),
  (error: unknown) => console.log(`refused: ${String(error)}`),
);
