import * as z from 'zod/mini';
import { addressField } from '#shared/contacts/address-field';
import {
  footerText,
  organizationName,
  resourceKey,
  senderName,
  unsubscribePageUrl,
} from '#shared/organizations/organization-fields';
import { organizationSettingsSchema } from '#shared/organizations/organization-settings';

const removable = <Field extends z.ZodMiniType>(field: Field) => z.exactOptional(z.nullable(field));

/** Body of PATCH /api/v1/organization: the fields to change. `null` takes a field away. */
export const requestSchema = z
  .strictObject({
    name: z.exactOptional(organizationName),
    senderName: removable(senderName),
    replyTo: removable(addressField),
    noticeEmail: removable(addressField),
    footerText: removable(footerText),
    unsubscribePageUrl: removable(unsubscribePageUrl),
    defaultPolicyKey: removable(resourceKey),
    keylessReading: z.exactOptional(z.boolean()),
    preferencesByAddress: removable(z.boolean()),
    sendRetentionDays: removable(z.int().check(z.gte(1))),
  })
  .check(
    z.refine((changes) => Object.keys(changes).length > 0, {
      error: 'give at least one of the fields to change',
    }),
  );
export type UpdateOrganizationSettingsRequest = z.infer<typeof requestSchema>;

/** Response 200: the organization as it is now. */
export const responseSchema = organizationSettingsSchema;
