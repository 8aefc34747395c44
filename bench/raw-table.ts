/** The simplest durable write: a row in a table with an identity column. */
export const RAW_TABLE = `
  create schema bench;
  create table bench.rows (position bigint generated always as identity primary key, text json not null);
`;

export const insertText = { name: 'insert', text: 'insert into bench.rows (text) values ($1) returning position' };
