import { randomBase32 } from '#shared/tokens/resource-id';
import { type Keyring, keyringSchema } from '#shared/tokens/signed-token';

/** A keyring with one fresh key. */
export const buildKeyring = (): Keyring =>
  keyringSchema.parse({ current: { id: 'k1', secret: randomBase32(32) } });
