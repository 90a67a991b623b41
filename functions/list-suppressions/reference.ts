import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import {
  exampleSuppression,
  momentForms,
  suppressionFields,
} from '#shared/suppressions/suppression-reference';

export const reference = {
  section: 'Suppressions',
  summary: 'List the addresses that get no email',
  description:
    'The suppressions of the organization, newest first. An address with two reasons has two entries.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: {
    ...suppressionFields('data'),
    reason: 'Only those with this reason.',
    from: `Suppressed then or later: ${momentForms}`,
    until: 'Suppressed earlier, in the same forms.',
  },
  example: { query: { reason: 'bounce', from: '2026-11-21', limit: '20' } },
  answers: {
    200: {
      description: 'A page of suppressions.',
      example: { data: [exampleSuppression], nextCursor: null },
    },
  },
} as const satisfies EndpointReference;
