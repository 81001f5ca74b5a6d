/** A connection as a client creates it. */
export function connectionNamed(name: string) {
  const config = { host: 'db.test', port: 5432, database: 'app', user: 'app', password: 'p', ssl: true };
  return { name, type: 'postgresql', config };
}
