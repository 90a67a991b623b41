import * as z from 'zod/mini';
import { type Organization, organizationSchema } from './organization.ts';

/** What an organization sets for itself, and may read of itself. A setting that it has not is absent. */
export const organizationSettingsSchema = z.pick(organizationSchema, {
  id: true,
  name: true,
  paused: true,
  attachmentsEnabled: true,
  senderName: true,
  replyTo: true,
  noticeEmail: true,
  footerText: true,
  unsubscribePageUrl: true,
  defaultPolicyKey: true,
  sendRetentionDays: true,
  createdAt: true,
  updatedAt: true,
});

/** Fields to change: `null` takes one away. */
export type OrganizationChanges = {
  readonly [Name in keyof Organization]?: Organization[Name] | null;
};

/** The organization with the given fields, and without those that are `null`. */
export const withChanges = (
  organization: Organization,
  changes: OrganizationChanges,
): Organization =>
  organizationSchema.parse(
    Object.fromEntries(
      Object.entries({ ...organization, ...changes }).filter(([, value]) => value !== null),
    ),
  );
