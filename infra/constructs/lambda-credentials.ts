import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles. Lambda puts credentials into the environment; the SDK's
 * eight other sources (SSO, profiles, instance metadata …) are 90 KB that never run.
 */
export const defaultProvider = () => fromEnv();
