/** An error that the person who starts Marktrail can fix: printed as one line, with exit code 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
