import { secretReader } from '#shared/config/secret';
import { type Keyring, keyringSecretSchema } from './signed-token.ts';

/**
 * Reads the token signing keys in the secret of that id. `config/secret-lifetime.ts` says how long it keeps them. Apart
 * from the tokens, as the command line checks keys and must start without the SDK.
 */
export const keyringReader = (secretId: string): (() => Promise<Keyring>) =>
  secretReader(secretId, keyringSecretSchema);
