import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleSettings } from '#shared/organizations/organization-reference';
import { organizationSettingsSchema } from '#shared/organizations/organization-settings';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/organization/notice-email/confirmation',
  access: { key: 'required', scope: 'manage_organization' },
  answers: {
    200: {
      body: organizationSettingsSchema,
      description: 'The link leaves within minutes.',
      example: { ...exampleSettings, noticeEmail: 'ops@example.com', noticeEmailState: 'pending' },
    },
  },
  errors: ['no_active_identity', 'nothing_to_confirm', 'rate_limited'],
  lambda: { stack: 'Organizations', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
  words: {
    section: 'Organization',
    summary: 'Mail the address for notices its confirmation link again',
    description:
      'A new `noticeEmail` is `pending` until somebody opens the link that is mailed to it and presses the button. Setting the address mails the link, this mails another one. The email comes from the organization’s own domain, so the domain must be active. At most three a day: of the organization, and of the address by all organizations.',
  },
});
