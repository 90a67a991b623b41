import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Stands in for `@aws-sdk/credential-provider-node` in the bundles. Lambda hands a function its
 * credentials in the environment, so the SDK's eight other ways of finding some (SSO, profiles,
 * instance metadata …) are 90 KB that no function ever runs.
 */
export const defaultProvider = () => fromEnv();
