/**
 * Takes the rest of a fully destructured value. A field added later is left over, so the call doesn't compile until
 * somebody has decided about it.
 */
export const nothingElse = (_rest: Record<string, never>): void => {};
