/** The position in a cursor, which stands behind its MAC of 16 bytes. */
export const placeOf = (cursor: string | null): string | undefined =>
  cursor === null ? undefined : Buffer.from(cursor, 'base64url').subarray(16).toString();
