/** ms to wait for a network that neither answers nor fails, where a page can open with what is kept on the device. */
export const PATIENCE = 3_000;
