import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Links in emails',
  summary: 'Follow a tracked link',
  description: `Records the click and redirects to where the link leads. \`HEAD\` answers the same and records nothing. A forged or altered token leads nowhere.

If the organization is paused, a person gets a page that names the destination and asks, and a program the error \`link_held\`. If the organization was deleted, or the operator has switched its links off, the link leads nowhere any more.`,
  access: 'anybody',
  isForPeople: true,
  fields: { token: 'The signed token of the link.' },
  example: { path: { token: 'v1.k1.…' } },
  answers: {
    200: { description: 'The page that asks, while the organization is paused.' },
    302: { description: 'To where the link leads.', headers: ['Location'] },
  },
  errors: ['link_not_found', 'link_withdrawn', 'link_held'],
} as const satisfies EndpointReference;
