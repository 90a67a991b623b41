import * as z from 'zod/mini';
import { addressField } from '#shared/contacts/address-field';
import {
  footerText,
  organizationName,
  senderName,
  trackingField,
  unsubscribePageUrl,
} from '#shared/organizations/organization-fields';

export const settingsSchema = z.strictObject({
  name: organizationName,
  attachmentsEnabled: z.exactOptional(z.boolean()),
  senderName: z.exactOptional(senderName),
  replyTo: z.exactOptional(addressField),
  footerText: z.exactOptional(footerText),
  unsubscribePageUrl: z.exactOptional(unsubscribePageUrl),
  tracking: z.exactOptional(trackingField),
  transactionalUnsubscribe: z.exactOptional(z.boolean()),
  preferencesByAddress: z.exactOptional(z.boolean()),
});
export type DeclaredSettings = z.infer<typeof settingsSchema>;

/** JSON, as CloudFormation turns all numbers and booleans into strings. */
export const propertiesSchema = z.object({
  Settings: z.pipe(
    z.string(),
    z.transform((text): unknown => JSON.parse(text)),
  ),
});
