/**
 * Source of the process that calls the keyring. Without `store`, Linux falls back to a store that is lost at reboot. A
 * locked keyring reports no entry, but refuses writes, so `remove` writes before it deletes. Reading uses a second
 * `Entry`, because the first one caches the secret.
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
