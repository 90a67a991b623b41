import {
  accountEnvironment,
  issuerNameEnvironment,
  keySignInEnvironment,
  linkDomainsEnvironment,
  priceEnvironment,
  publicAddressEnvironment,
  retentionEnvironment,
  retryEnvironment,
  webhookUrlEnvironment,
} from '#shared/config/environment';
import { capability } from './capability.ts';

// The deployment's settings that operations need.

export const knowsRegion = /* @__PURE__ */ capability(
  { environment: accountEnvironment },
  ({ AWS_REGION }) => AWS_REGION,
);

/** For cost figures. */
export const knowsSesPricePlan = /* @__PURE__ */ capability(
  { environment: priceEnvironment },
  ({ SES_PRICE_PLAN }) => SES_PRICE_PLAN,
);

/** How many days the deployment keeps sends. */
export const knowsRetention = /* @__PURE__ */ capability(
  { environment: retentionEnvironment },
  ({ SEND_RETENTION_DAYS }) => SEND_RETENTION_DAYS,
);

export const knowsLinkDomains = /* @__PURE__ */ capability(
  { environment: linkDomainsEnvironment },
  ({ LINK_DOMAINS }) => LINK_DOMAINS,
);

/**
 * Where browsers reach the service, in the two forms that passkeys are bound to. They're for names, not for IP
 * addresses, so the local twin's are for its other name.
 */
export const knowsOrigin = /* @__PURE__ */ capability(
  { environment: publicAddressEnvironment },
  ({ PUBLIC_BASE_URL }) => {
    const { origin, hostname } = new URL(PUBLIC_BASE_URL.replace('//127.0.0.1', '//localhost'));
    return { origin, hostname };
  },
);

/** How often a webhook delivery is attempted. */
export const knowsMaxAttempts = /* @__PURE__ */ capability(
  { environment: retryEnvironment },
  ({ WEBHOOK_MAX_ATTEMPTS }) => WEBHOOK_MAX_ATTEMPTS,
);

/** Whether keys, and links made with them, sign in to the console. */
export const allowsKeySignIn = /* @__PURE__ */ capability(
  { environment: keySignInEnvironment },
  ({ CONSOLE_KEY_SIGN_IN }) => CONSOLE_KEY_SIGN_IN,
);

/** Where webhooks may lead. */
export const knowsUrlPolicy = /* @__PURE__ */ capability(
  { environment: webhookUrlEnvironment },
  ({ WEBHOOK_ALLOW_LOOPBACK_HTTP }) => ({ allowLoopbackHttp: WEBHOOK_ALLOW_LOOPBACK_HTTP }),
);

/** What people call the issuer of their sign-ins; `undefined` without one. */
export const knowsIssuerName = /* @__PURE__ */ capability(
  { environment: issuerNameEnvironment },
  ({ OIDC_NAME }) => OIDC_NAME,
);
