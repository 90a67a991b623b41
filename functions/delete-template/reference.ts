import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';

export const reference = {
  section: 'Templates',
  summary: 'Delete a template',
  description:
    'Sends that were made of it stay as they are. With `If-Match` the deletion is refused if the template has another version.',
  isBeta: true,
  access: { key: 'required', scope: 'templates_manage' },
  example: { path: { id: exampleIds.template }, headers: { 'if-match': '"2"' } },
  answers: { 204: { description: 'The template is deleted.' } },
  errors: ['template_not_found', 'concurrent_change', 'version_mismatch'],
} as const satisfies EndpointReference;
