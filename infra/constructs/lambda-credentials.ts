import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles. Lambda puts a function's credentials into the
 * environment, so the SDK's eight other ways of finding some (SSO, profiles, instance metadata …) are 90 KB that never
 * run.
 */
export const defaultProvider = () => fromEnv();
