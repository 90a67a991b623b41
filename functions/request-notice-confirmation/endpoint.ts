import { defineEndpoint } from '#shared/endpoints/endpoint';
import { mostConfirmationsADay } from '#shared/notices/confirmation';
import { exampleSettings } from '#shared/organizations/organization-reference';
import { organizationSettingsSchema } from '#shared/organizations/organization-settings';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/organization/notice-email/confirmation',
  access: { key: 'required', scope: 'manage_organization' },
  answers: {
    200: {
      body: organizationSettingsSchema,
      description: 'The link is mailed within minutes.',
      example: { ...exampleSettings, noticeEmail: 'ops@example.com', noticeEmailState: 'pending' },
    },
  },
  errors: ['no_active_identity', 'nothing_to_confirm', 'rate_limited'],
  isLimited: true,
  lambda: { stack: 'Organizations', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
  words: {
    section: 'Organization',
    summary: 'Mail the confirmation link to the address for notices again',
    description: `A new \`noticeEmail\` is \`pending\` until somebody opens the link that is mailed to it and presses the button. Setting the address mails the first link; this endpoint mails another. It comes from the organization’s own domain, which must be active. An organization can request ${mostConfirmationsADay} a day, and an address gets no more than that from all organizations together.`,
  },
});
