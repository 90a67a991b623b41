import { randomBase32 } from '#shared/tokens/base32';
import { type Keyring, keyringSchema } from '#shared/tokens/signed-token';

/** A keyring with one fresh key. */
export const buildKeyring = (): Keyring =>
  keyringSchema.parse({ current: { id: 'k1', secret: randomBase32(32) } });
