import * as z from 'zod/mini';
import { capability } from '#shared/aws/capability';
import { attachmentEnvironment } from '#shared/config/environment';
import { secretReader } from '#shared/config/secret';
import { megabyte } from './attachment-rejection.ts';
import {
  checkOwnSetting,
  createEntitlementService,
  type EntitlementCheck,
} from './entitlement-service.ts';

type Environment = z.output<typeof attachmentEnvironment>;

export const attachmentGateOf = (environment: Environment) => ({
  attachmentLimits: {
    maxCount: environment.ATTACHMENTS_MAX_COUNT,
    maxTotalBytes: Math.floor(environment.ATTACHMENTS_MAX_TOTAL_MB * megabyte),
  },
  urlPolicy: { allowLoopbackHttp: environment.WEBHOOK_ALLOW_LOOPBACK_HTTP },
  checkEntitlement: createEntitlementCheck(environment),
});
export type AttachmentGate = ReturnType<typeof attachmentGateOf>;

/** Decides who may attach what. */
export const gatesAttachments = /* @__PURE__ */ capability(
  { environment: attachmentEnvironment },
  attachmentGateOf,
);

function createEntitlementCheck({
  ENTITLEMENTS_URL: url,
  ENTITLEMENTS_SECRET_ID: secretId,
}: Environment): EntitlementCheck {
  if (url === undefined) return checkOwnSetting;
  if (secretId === undefined) throw new Error('ENTITLEMENTS_URL needs an ENTITLEMENTS_SECRET_ID');
  return createEntitlementService({
    url,
    secret: secretReader(secretId, z.string().check(z.minLength(1))),
  });
}
