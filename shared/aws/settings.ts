import {
  accountEnvironment,
  linkDomainsEnvironment,
  retentionEnvironment,
} from '#shared/config/environment';
import { capability } from './capability.ts';

// The deployment's settings that operations need.

export const knowsRegion = /* @__PURE__ */ capability(
  { environment: accountEnvironment },
  ({ AWS_REGION }) => AWS_REGION,
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
