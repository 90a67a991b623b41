import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Console',
  summary: 'Show a page as recipients get it',
  description:
    'From the settings that are stored, for an invented recipient. The console shows it in a frame: it runs nothing, and takes no form.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: {
    page: '`footer`: how bulk emails end. `unsubscribe` and `unsubscribed`: the page that asks, and the one after it. `preferences`: the preference page.',
  },
  example: { path: { page: 'preferences' } },
  answers: { 200: { description: 'The page.' } },
  errors: ['endpoint_not_found'],
} as const satisfies EndpointReference;
