import { ServiceError } from '#shared/errors/service-error';
import type { Organization } from '#shared/organizations/organization';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { type Attachment, byteLengthOf } from './attachment.ts';
import type { Entitlement, EntitlementCheck } from './entitlement.ts';

/** A megabyte is 1024 × 1024 bytes, as mail programs count and as SES counts its own limits. */
export const megabyte = 1024 * 1024;

export type AttachmentLimits = {
  readonly maxCount: number;
  /** Of all attachments together, decoded. */
  readonly maxTotalBytes: number;
};

/** Why attachments are refused (contract, "Errors", rule 2). */
export type AttachmentRejection = 'plan_required' | 'too_many' | 'invalid_base64' | 'too_large';

/** What is told of a request with attachments: that it is checked, then what came of it. */
export type AttachmentReport = {
  readonly organizationId: OrganizationId;
  readonly count: number;
  /** Decoded; an attachment that can't be decoded counts nothing. */
  readonly totalBytes: number;
} & (
  | { readonly outcome: 'check' }
  | { readonly outcome: 'allowed'; readonly preview: Entitlement['preview'] }
  | {
      readonly outcome: 'rejected';
      readonly reason: AttachmentRejection;
      readonly preview: Entitlement['preview'];
      /** Why the entitlement could not be checked. */
      readonly failure: unknown;
    }
);

export type AttachmentDependencies = {
  readonly attachmentLimits: AttachmentLimits;
  readonly checkEntitlement: EntitlementCheck;
};

/**
 * Checks plan, number, encoding and size, in this order. Nothing is asked and nothing told of a
 * request without attachments.
 *
 * @throws ServiceError `plan_required`, `too_many`, `invalid_base64`, `too_large`
 */
export async function admitAttachments(
  attachments: readonly Attachment[],
  organization: Organization,
  now: number,
  { attachmentLimits, checkEntitlement }: AttachmentDependencies,
  report: (report: AttachmentReport) => void,
): Promise<void> {
  if (attachments.length === 0) return;
  const sizes = attachments.map(byteLengthOf);
  const totalBytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const told = { organizationId: organization.id, count: attachments.length, totalBytes };
  report({ ...told, outcome: 'check' });

  const { allowed, preview, failure } = await checkEntitlement(organization, now);
  const rejection = allowed
    ? findRejection(sizes, totalBytes, attachmentLimits)
    : planRequired(failure !== undefined);
  if (rejection === undefined) {
    report({ ...told, outcome: 'allowed', preview });
    return;
  }
  const { reason, detail, errors } = rejection;
  report({ ...told, outcome: 'rejected', reason, preview, failure });
  throw new ServiceError(reason, detail, { errors });
}

type Rejection = {
  readonly reason: AttachmentRejection;
  readonly detail: string;
  readonly errors: readonly { readonly path: string; readonly message: string }[];
};

const faulty = (
  reason: AttachmentRejection,
  detail: string,
  paths: readonly string[],
): Rejection => ({
  reason,
  detail,
  errors: paths.map((path) => ({ path, message: detail })),
});

const planRequired = (isUnknown: boolean): Rejection =>
  faulty(
    'plan_required',
    isUnknown
      ? 'Whether attachments are enabled for this organization could not be confirmed just now. Nothing was sent; retry later.'
      : 'Attachments are not enabled for this organization.',
    ['attachments'],
  );

function findRejection(
  sizes: readonly (number | undefined)[],
  totalBytes: number,
  { maxCount, maxTotalBytes }: AttachmentLimits,
): Rejection | undefined {
  if (sizes.length > maxCount) {
    const detail = `An email carries at most ${maxCount} attachments.`;
    return faulty('too_many', detail, ['attachments']);
  }
  const undecodable = [...sizes.keys()].filter((index) => sizes[index] === undefined);
  if (undecodable.length > 0) {
    const detail =
      'Must be base64 as in RFC 4648 §4: with padding, without line breaks, not the URL-safe alphabet.';
    const paths = undecodable.map((index) => `attachments.${index}.contentBase64`);
    return faulty('invalid_base64', detail, paths);
  }
  if (totalBytes > maxTotalBytes) {
    const detail = `All attachments together have at most ${maxTotalBytes} bytes decoded (${maxTotalBytes / megabyte} MB), not ${totalBytes}.`;
    return faulty('too_large', detail, ['attachments']);
  }
  return undefined;
}
