import type * as z from 'zod/mini';
import type { Organization } from '#shared/organizations/organization';

/** Whether an organization's plan has attachments. `entitlement-service.ts` says how long an answer counts. */
export type Entitlement = {
  readonly allowed: boolean;
  /** What the entitlement service would show a person about it. */
  readonly preview?: z.core.util.JSONType | undefined;
  /** Why the check failed. Then attachments are not allowed. */
  readonly failure?: unknown;
};

/** Answers for the moment `now`, in epoch milliseconds. It never rejects: what it cannot find out is not allowed. */
export type EntitlementCheck = (organization: Organization, now: number) => Promise<Entitlement>;

/** The check of a deployment without an entitlement service: the organization's own setting. */
export const checkOwnSetting: EntitlementCheck = async ({ attachmentsEnabled }) => ({
  allowed: attachmentsEnabled,
});
