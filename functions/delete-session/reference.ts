import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Console',
  summary: 'Sign out of the console',
  description: 'Ends the session, and clears its cookie. It may be repeated.',
  access: 'anybody',
  answers: { 204: { description: 'You are signed out.', headers: ['Set-Cookie'] } },
  errors: ['concurrent_change'],
} as const satisfies EndpointReference;
