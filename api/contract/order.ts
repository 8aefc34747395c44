const collator = new Intl.Collator('en-GB', { numeric: true, sensitivity: 'base' });

/** The order of names as people expect it: 11X2 before 11X10, É beside E. In SQL it is `inOrder` of api/common/in-order.ts. */
export const naturalOrder = (one: string, other: string): number => collator.compare(one, other);
