/** Why the twin cannot start, in words for the person who can change it: printed as one line. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
