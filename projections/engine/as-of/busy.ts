/** How many of the school's events are folded. */
export type Filling = { readonly done: number; readonly total: number };

/** The schema is being filled: ask again in a moment. */
export class AsOfFilling extends Error {
  override readonly name = 'AsOfFilling';
  readonly filling: Filling;
  constructor(filling: Filling) {
    super('That moment is being put together.');
    this.filling = filling;
  }
}

/** All schemas are in use, or this one is not filled yet: retry after `retryAfter` seconds. */
export class AsOfBusy extends Error {
  override readonly name = 'AsOfBusy';
  readonly retryAfter: number;
  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfter = Math.ceil(retryAfterMs / 1000);
  }
}
