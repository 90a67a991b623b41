import { capability } from '#shared/aws/capability';
import { tokenEnvironment } from '#shared/config/environment';
import { secretReader } from '#shared/config/secret';
import { type Keyring, keyringSecretSchema } from './signed-token.ts';

/** Separate from the tokens: the command line checks keys and must start without the SDK. */
export const keyringReader = (secretId: string): (() => Promise<Keyring>) =>
  secretReader(secretId, keyringSecretSchema);

/** Checks and signs the tokens of links in emails. */
export const readsKeyring = /* @__PURE__ */ capability(
  { environment: tokenEnvironment, readsSecrets: ['tokenSigningKey'] },
  ({ TOKEN_SIGNING_SECRET_ID }) => keyringReader(TOKEN_SIGNING_SECRET_ID),
);
