/** A member of a fake that the test has no use for. */
export const unexpected = (member: string) => (): never => {
  throw new Error(`the test did not expect ${member}`);
};
