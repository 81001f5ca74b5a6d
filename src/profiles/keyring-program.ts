/**
 * The program of the process that calls the keyring: a function of that process and of what loads the package.
 *
 * Without the store, the package falls back on Linux to one that is lost at the next start. A locked keyring reports
 * no entry, but refuses to be written to: hence the writing before a removal. A second entry reads what the keyring
 * has, whatever the first remembers.
 */
export const keyringProgram = `(process, load) =>
process.once('message', ({ service, account, call, secret }) => {
  let Entry;
  try {
    ({ Entry } = load());
  } catch (error) {
    return process.send({ error: error.message, isMissing: true });
  }
  const open = () => new Entry(service, account, { linux: { store: 'secret-service' } });
  try {
    const entry = open();
    if (call === 'write') entry.setPassword(secret);
    if (call === 'remove') {
      entry.setPassword('removed');
      entry.deletePassword();
    }
    process.send({ value: open().getPassword() });
  } catch (error) {
    process.send({ error: error.message, isMissing: false });
  }
})`;
