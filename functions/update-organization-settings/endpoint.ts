import * as z from 'zod/mini';
import { retentionEnvironment } from '#shared/config/environment';
import { addressField } from '#shared/contacts/address-field';
import { changesOf } from '#shared/endpoints/changes-of';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import {
  footerText,
  organizationName,
  resourceKey,
  senderName,
  trackingField,
  unsubscribePageUrl,
} from '#shared/organizations/organization-fields';
import { exampleSettings } from '#shared/organizations/organization-reference';
import { organizationSettingsSchema } from '#shared/organizations/organization-settings';
import { keptDays } from '#shared/stored-content/content-kinds';

const removable = <Field extends z.ZodMiniType>(field: Field) => z.exactOptional(z.nullable(field));

const keptDaysError = `must be one of ${keptDays.join(', ')}: the bucket deletes contents by rules of so many days`;

export const endpoint = defineEndpoint({
  route: 'PATCH /api/v1/organization',
  access: {
    key: 'required',
    scope: 'manage_organization',
    freshSession: ['replyTo', 'noticeEmail', 'unsubscribePageUrl', 'keylessReading'],
  },
  body: changesOf(
    {
      name: z.exactOptional(organizationName),
      senderName: removable(senderName),
      replyTo: removable(addressField),
      noticeEmail: removable(addressField),
      footerText: removable(footerText),
      unsubscribePageUrl: removable(unsubscribePageUrl),
      defaultPolicyKey: removable(resourceKey),
      tracking: removable(trackingField),
      transactionalUnsubscribe: z.exactOptional(z.boolean()),
      keylessReading: z.exactOptional(z.boolean()),
      preferencesByAddress: removable(z.boolean()),
      sendRetentionDays: removable(z.int().check(z.gte(1))),
      keepContentDays: removable(z.literal(keptDays, { error: keptDaysError })),
    },
    'give at least one of the fields to change',
  ),
  answers: {
    200: {
      body: organizationSettingsSchema,
      description: 'The settings as they are now.',
      example: exampleSettings,
    },
  },
  errors: ['concurrent_change'],
  isLimited: true,
  lambda: {
    stack: 'Account',
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
    environment: retentionEnvironment,
  },
  words: {
    section: 'Organization',
    summary: 'Change the settings of the organization',
    description:
      "Changes only the fields in the request. `null` removes a setting; `name`, `keylessReading` and `transactionalUnsubscribe` can't be removed. Changes apply from the next send on.",
    fields: {
      keepContentDays: `For how many days the contents of emails are kept, to be shown and sent again: ${keptDays.join(', ')}. Others can’t be had, since the bucket deletes contents by rules of so many days. Without it they are not kept. At most as long as the sends.`,
    },
    example: { body: { senderName: 'Example Ltd', replyTo: 'help@example.com' } },
  },
});
