/** The position in a cursor, which stands before its MAC of 16 bytes. */
export const placeOf = (cursor: string | null): string | undefined =>
  cursor === null ? undefined : Buffer.from(cursor, 'base64url').subarray(0, -16).toString();
