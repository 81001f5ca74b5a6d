/** A connection in a form that every input file accepts. In a module of its own, so that help loads no schema. */
export const connectionExample =
  '{ name: app, type: postgresql, config: { host: db, database: app, user: app, password: { env: APP_DB_PASSWORD } } }';
