/** Something that the person who starts Marktrail can put right: printed as one line, exit code 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
