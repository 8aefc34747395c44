/** An entry of the security log. Ids only; who they are is shown where accounts and students are. */
export type SecurityEntry = {
  readonly id: string;
  /** ISO instant */
  readonly at: string;
  readonly kind: string;
  readonly accountId: string | null;
  /** The account or student that it was done to. */
  readonly aboutId: string | null;
  /** The command, query, address or limit. */
  readonly name: string | null;
  readonly commandId: string | null;
  /** The same for the same network; the address cannot be read from it. */
  readonly network: string | null;
  /** How often the same happened since the entry before. */
  readonly count: number;
};

/** GET /api/security-log?before=: newest first, 200 at a time. */
export type SecurityEntries = { readonly entries: readonly SecurityEntry[] };
