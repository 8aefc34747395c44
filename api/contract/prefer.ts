/** RFC 7240: rather than to wait for an earlier moment, to be told how far it is. */
export const RESPOND_ASYNC = 'respond-async';
