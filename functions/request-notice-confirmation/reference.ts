import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleSettings } from '#shared/organizations/organization-reference';

export const reference = {
  section: 'Organization',
  summary: 'Mail the address for notices its confirmation link again',
  description:
    'A new `noticeEmail` is `pending` until somebody opens the link that is mailed to it and presses the button. Setting the address mails the link, this mails another one. The email comes from the organization’s own domain, so the domain must be active. At most three a day: of the organization, and of the address by all organizations.',
  access: { key: 'required', scope: 'manage_organization' },
  answers: {
    200: {
      description: 'The link leaves within minutes.',
      example: { ...exampleSettings, noticeEmail: 'ops@example.com', noticeEmailState: 'pending' },
    },
  },
  errors: ['no_active_identity', 'nothing_to_confirm', 'rate_limited'],
} as const satisfies EndpointReference;
