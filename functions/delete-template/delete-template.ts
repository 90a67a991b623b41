import { defineEndpoint } from '#shared/endpoints/endpoint';
import { changesTemplate, templateChange } from '#shared/templates/change-template';
import { deleteUnusedTemplate } from '#shared/templates/edit-template';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    ...templateChange,
    route: 'DELETE /api/v1/templates/{id}',
    answers: { 204: { description: 'Deleted.' } },
    errors: ['layout_in_use', 'concurrent_change', 'version_mismatch'],
    lambda: { stack: 'Templates', ...changesTemplate },
    words: {
      section: 'Templates',
      summary: 'Delete a template',
      description:
        'Its name and alias become free. Emails already sent from it stay as they are. Queued and scheduled ones fail if they name it by ID, or wait up to two days for another with its alias. With `If-Match`, the deletion is refused if the template has a different version.',
      example: { path: { id: exampleIds.template }, headers: { 'if-match': '"2"' } },
    },
  },
  deleteUnusedTemplate,
);
