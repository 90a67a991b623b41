import * as z from 'zod/mini';
import {
  isKeylessReadingOn,
  isTransactionalUnsubscribeOn,
  type Organization,
  organizationSchema,
} from './organization.ts';

const storedSettingsSchema = z.pick(organizationSchema, {
  id: true,
  name: true,
  paused: true,
  attachmentsEnabled: true,
  linkDomain: true,
  senderName: true,
  replyTo: true,
  noticeEmail: true,
  noticeEmailState: true,
  footerText: true,
  unsubscribePageUrl: true,
  defaultPolicyKey: true,
  preferencesByAddress: true,
  sendRetentionDays: true,
  tracking: true,
  keepContentDays: true,
  keepRefusedShapes: true,
  createdAt: true,
  updatedAt: true,
});

/** What an organization may set and read. A setting it doesn't have is absent. */
export const organizationSettingsSchema = z.extend(storedSettingsSchema, {
  keylessReading: z.boolean(),
  transactionalUnsubscribe: z.boolean(),
});
type OrganizationSettings = z.infer<typeof organizationSettingsSchema>;

/** Includes settings that were never set. */
export function settingsOf(organization: Organization): OrganizationSettings {
  return {
    ...storedSettingsSchema.parse(organization),
    keylessReading: isKeylessReadingOn(organization),
    transactionalUnsubscribe: isTransactionalUnsubscribeOn(organization),
  };
}

/** Fields to change; `null` removes one. */
export type OrganizationChanges = {
  readonly [Name in keyof Organization]?: Organization[Name] | null;
};

export const withChanges = (
  organization: Organization,
  changes: OrganizationChanges,
): Organization =>
  organizationSchema.parse(
    Object.fromEntries(
      Object.entries({ ...organization, ...changes }).filter(([, value]) => value !== null),
    ),
  );

/** A new address for notices is `pending`, under a new version. */
export function withAddressPending(
  before: Organization,
  after: Organization,
  newVersion: string,
): Organization {
  if (before.noticeEmail === after.noticeEmail) return after;
  const { noticeEmailState, noticeEmailVersion, ...rest } = after;
  if (rest.noticeEmail === undefined) return rest;
  return { ...rest, noticeEmailState: 'pending', noticeEmailVersion: newVersion };
}
