import { invalidApiKey } from '#shared/access/api-key';
import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { ServiceError } from '#shared/errors/service-error';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import { preferencesPage } from '#shared/pages/preferences-page';
import { unsubscribePage } from '#shared/pages/unsubscribe-page';
import type { CategoryStore } from '#shared/preferences/category-store';
import type { PreviewName } from './endpoint.ts';
import { footerPreview } from './footer-preview.ts';

export type PreviewReading = Authentication & {
  readonly organizations: Pick<OrganizationStore, 'get'>;
  readonly categories: CategoryStore;
};

/** Nobody. The pages mask the address, as they do for everybody. */
const email = 'ann@example.com';
/** Leads nowhere: a preview takes no form and follows no link. */
const form = { action: '#' };

/**
 * Makes a page as recipients of the manager's organization get it, from the settings that are stored.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `endpoint_not_found`
 */
export async function showPagePreview(
  credential: string | undefined,
  name: PreviewName | undefined,
  { organizations, categories, ...authentication }: PreviewReading,
): Promise<string> {
  const { organizationId } = await authenticateManager(credential, authentication);
  const organization = await organizations.get(organizationId);
  if (organization === undefined) throw invalidApiKey();
  const recipient = { organizationName: organization.name, email, preferencesUrl: '#' };
  switch (name) {
    case 'footer':
      return footerPreview(organization);
    case 'unsubscribe':
      return unsubscribePage({ ...recipient, state: 'confirm', form });
    case 'unsubscribed':
      return unsubscribePage({ ...recipient, state: 'done' });
    case 'preferences': {
      const all = await categories.list(organizationId);
      const preferences = {
        contact: { id: 'preview', email },
        categories: all,
        subscriptions: all.map(({ key }) => ({ categoryKey: key, subscribed: true })),
      };
      const { organizationName } = recipient;
      return preferencesPage({
        organizationName,
        preferences,
        unsubscribedFromAll: false,
        saved: false,
        form,
      });
    }
    case undefined:
      throw new ServiceError('endpoint_not_found', 'There is no such preview.');
  }
}
