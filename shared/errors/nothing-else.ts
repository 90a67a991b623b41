/**
 * Takes what is left of a value whose fields were all taken out by name. A field that is added later is left over, so
 * the call does not compile until somebody has decided about it.
 */
export const nothingElse = (_rest: Record<string, never>): void => {};
