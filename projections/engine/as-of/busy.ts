/** All schemas are in use, or this one is not filled yet: retry after `retryAfter` seconds. */
export class AsOfBusy extends Error {
  override readonly name = 'AsOfBusy';
  readonly retryAfter: number;
  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfter = Math.ceil(retryAfterMs / 1000);
  }
}
