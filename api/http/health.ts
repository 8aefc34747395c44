/** Of the product as a whole; `problems` are sentences. */
export type Health = { readonly status: 'ok' | 'degraded'; readonly problems: readonly string[]; readonly [detail: string]: unknown };
