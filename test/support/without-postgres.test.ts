import { it } from 'vitest';

it.skip('PostgreSQL was not tested: install its server, or set ORGCTL_TEST_DATABASE to the URL of one', () =>
  undefined);
