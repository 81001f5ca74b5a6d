/** A connection as every file may have it. In its own file, so that help loads no schema. */
export const connectionExample =
  '{ name: app, type: postgresql, config: { host: db, database: app, user: app, password: { env: APP_DB_PASSWORD } } }';
