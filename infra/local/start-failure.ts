/** One line for the person who can fix it. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
