import * as z from 'zod/mini';
import { isKeylessReadingOn, type Organization, organizationSchema } from './organization.ts';

const storedSettingsSchema = z.pick(organizationSchema, {
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
  preferencesByAddress: true,
  sendRetentionDays: true,
  createdAt: true,
  updatedAt: true,
});

/** What an organization sets for itself, and may read of itself. A setting that it has not is absent. */
export const organizationSettingsSchema = z.extend(storedSettingsSchema, {
  keylessReading: z.boolean(),
});
export type OrganizationSettings = z.infer<typeof organizationSettingsSchema>;

/** The settings as they are shown: also those that were never set. */
export const settingsOf = (organization: Organization): OrganizationSettings => ({
  ...storedSettingsSchema.parse(organization),
  keylessReading: isKeylessReadingOn(organization),
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
