import { secretReader } from '#shared/config/secret';
import { type Keyring, keyringSecretSchema } from './signed-token.ts';

/** A reader of the token signing keys in the secret of that id. */
export const keyringReader = (secretId: string): (() => Promise<Keyring>) =>
  secretReader(secretId, keyringSecretSchema);
