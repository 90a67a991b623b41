import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';
import { exampleSuppression, suppressionFields } from '#shared/suppressions/suppression-reference';

export const reference = {
  section: 'Recipients',
  summary: 'Read what is known of a person',
  description:
    'The contact that the organization has of an address, with what the person chose. Who was erased is not known any more.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: {
    ...suppressionFields('suppressions'),
    id: 'The id of the contact.',
    email: 'The address, in the path URL-encoded.',
    subscriptions: 'What the person chose. A category that is missing is subscribed.',
    suppressions: 'Why the address gets no email. Empty: it does.',
  },
  example: { path: { email: 'bob@example.com' } },
  answers: {
    200: {
      description: 'The contact.',
      example: {
        id: exampleIds.contact,
        email: 'bob@example.com',
        subscriptions: [{ categoryKey: 'newsletter', subscribed: false }],
        suppressions: [exampleSuppression],
        createdAt: exampleTime,
        updatedAt: exampleTime,
      },
    },
  },
  errors: ['validation_failed', 'contact_not_found'],
} as const satisfies EndpointReference;
