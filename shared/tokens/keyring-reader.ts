import { secretReader } from '#shared/config/secret';
import { type Keyring, keyringSecretSchema } from './signed-token.ts';

/**
 * `config/secret-lifetime.ts` says how long the keys are kept. Apart from the tokens, as the command line checks keys
 * and must start without the SDK.
 */
export const keyringReader = (secretId: string): (() => Promise<Keyring>) =>
  secretReader(secretId, keyringSecretSchema);
