import * as z from 'zod/mini';
import type { attachmentEnvironment } from '#shared/config/attachment-environment';
import { secretReader } from '#shared/config/secret';
import type { AttachmentDependencies } from './admit-attachments.ts';
import { megabyte } from './attachment-rejection.ts';
import { checkOwnSetting, type EntitlementCheck } from './entitlement.ts';
import { createEntitlementService } from './entitlement-service.ts';
import { createUploadStore } from './upload-store.ts';

type Environment = z.output<typeof attachmentEnvironment>;

/** Wires what decides on attachments. */
export const createAttachmentDependencies = (environment: Environment): AttachmentDependencies => ({
  attachmentLimits: {
    maxCount: environment.ATTACHMENTS_MAX_COUNT,
    maxTotalBytes: Math.floor(environment.ATTACHMENTS_MAX_TOTAL_MB * megabyte),
  },
  checkEntitlement: createEntitlementCheck(environment),
});

/** Wires the bucket of uploaded attachments. */
export const openUploadStore = (environment: Environment) =>
  createUploadStore({
    bucket: environment.ATTACHMENTS_BUCKET,
    region: environment.AWS_REGION,
    endpoint: environment.AWS_ENDPOINT_URL_S3,
  });

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
