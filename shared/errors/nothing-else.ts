/**
 * Takes the rest of a fully destructured value. A field added later doesn't compile until somebody has decided about
 * it.
 */
export const nothingElse = (_rest: Record<string, never>): void => {};
