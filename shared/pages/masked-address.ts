/**
 * Enough of an address for its owner to know it, too little for whoever else has the link:
 * `a***@example.com`. The stars are always three, so the length stays hidden too.
 */
export function maskAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const [firstCharacter = ''] = email.slice(0, Math.max(at, 0));
  return at < 1 ? '***' : `${firstCharacter}***${email.slice(at)}`;
}
