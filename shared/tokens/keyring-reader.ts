import { secretReader } from '#shared/config/secret';
import { type Keyring, keyringSecretSchema } from './signed-token.ts';

/** Separate from the tokens: the command line checks keys and must start without the SDK. */
export const keyringReader = (secretId: string): (() => Promise<Keyring>) =>
  secretReader(secretId, keyringSecretSchema);
