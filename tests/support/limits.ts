/** In milliseconds. They only end what hangs: whatever is waited for is gone on with as soon as it is there. */
export const limit = {
  /** One wait: for what a page, the server or a process is to do next. */
  wait: 30_000,
  /** A test, or what a file prepares for all its tests. */
  test: 180_000,
  /** A test of `npm run test:all`, which may kill the product again and again, or go through a whole school year. */
  longTest: 900_000,
} as const;
