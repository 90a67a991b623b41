import type * as z from 'zod/mini';
import { capability } from '#shared/aws/capability';
import { attachmentEnvironment } from '#shared/config/environment';
import { validationFailed } from '#shared/errors/service-error';
import type { Organization } from '#shared/organizations/organization';
import { type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { type Attachment, byteLengthOf } from './attachment.ts';
import { attachmentLimitsOf, findRejection } from './attachment-limits.ts';
import { type AttachmentRejection, planRequired } from './attachment-rejection.ts';
import { createEntitlementCheck, type Entitlement } from './entitlement-service.ts';
import { unknownUpload } from './load-attachments.ts';

export const attachmentRulesOf = (environment: z.output<typeof attachmentEnvironment>) => ({
  attachmentLimits: attachmentLimitsOf(environment),
  urlPolicy: { allowLoopbackHttp: environment.WEBHOOK_ALLOW_LOOPBACK_HTTP },
  checkEntitlement: createEntitlementCheck(environment),
});
export type AttachmentRules = ReturnType<typeof attachmentRulesOf>;

/** Who may attach what in this deployment. */
export const knowsAttachmentRules = /* @__PURE__ */ capability(
  { environment: attachmentEnvironment },
  attachmentRulesOf,
);

/** Decoded bytes, without those behind a URL, which aren't known yet. */
export type AttachmentTotals = { readonly count: number; readonly totalBytes: number };

export type AttachmentReport = {
  readonly organizationId: OrganizationId;
  readonly count: number;
  /** Decoded; zero for one that can't be decoded or is behind a URL. */
  readonly totalBytes: number;
} & (
  | { readonly outcome: 'check' }
  | { readonly outcome: 'allowed'; readonly preview: Entitlement['preview'] }
  | {
      readonly outcome: 'rejected';
      readonly reason: AttachmentRejection;
      readonly preview: Entitlement['preview'];
      /** Why the entitlement couldn't be checked. */
      readonly failure: unknown;
    }
);

/**
 * Checks in this order: plan, number, encoding, size. A request without attachments is neither checked nor reported.
 *
 * @returns their totals
 * @throws ServiceError with the reason as its code, or `unknown_upload` for another organization's
 */
export async function admitAttachments(
  attachments: readonly Attachment[],
  organization: Organization,
  now: number,
  { attachmentLimits, urlPolicy, checkEntitlement }: AttachmentRules,
  report: (report: AttachmentReport) => void,
): Promise<AttachmentTotals> {
  if (attachments.length === 0) return { count: 0, totalBytes: 0 };
  const sizes = attachments.map(byteLengthOf);
  const totalBytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const totals = { count: attachments.length, totalBytes };
  const facts = { organizationId: organization.id, ...totals };
  report({ ...facts, outcome: 'check' });

  const entitlement = await checkEntitlement(organization, now);
  const { preview, failure } = entitlement;
  const rejection = entitlement.allowed
    ? findRejection(sizes, totalBytes, attachmentLimits)
    : planRequired(entitlement, 'attachments');
  if (rejection !== undefined) {
    report({ ...facts, outcome: 'rejected', reason: rejection.code, preview, failure });
    throw rejection;
  }
  requireOwnUploads(attachments, organization);
  await requirePublicUrls(attachments, urlPolicy);
  report({ ...facts, outcome: 'allowed', preview });
  return totals;
}

function requireOwnUploads(attachments: readonly Attachment[], { id }: Organization): void {
  const foreign = attachments.findIndex(
    ({ content }) => content.kind === 'upload' && organizationIdOf(content.uploadId) !== id,
  );
  if (foreign !== -1) throw unknownUpload(foreign);
}

/** Loaded with the first URL, because it contains the ranges of all private addresses. */
async function requirePublicUrls(
  attachments: readonly Attachment[],
  policy: AttachmentRules['urlPolicy'],
): Promise<void> {
  if (attachments.every(({ content }) => content.kind !== 'url')) return;
  const { checkPublicUrl } = await import('#shared/outbound/public-url');
  const faults = attachments.flatMap(({ content }, index) => {
    const checked = content.kind === 'url' && checkPublicUrl(content.url, policy);
    if (checked === false || checked.ok) return [];
    return { path: `attachments.${index}.url`, message: checked.reason };
  });
  if (faults.length > 0) throw validationFailed(faults);
}
