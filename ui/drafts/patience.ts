/** ms. A network that neither answers nor fails is waited for this long where a page can open with what is kept on the device. */
export const PATIENCE = 3_000;
