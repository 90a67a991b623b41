import type { PreferencesChoice } from '#shared/pages/preferences-form';
import { changePreferences, resubscribe } from '#shared/preferences/change-preferences';
import type { Contacts } from '#shared/preferences/contacts';
import { type Subscription, unknownCategories } from '#shared/preferences/preferences';
import type { TokenHolder } from '#shared/sends/token-holder';
import type { OrganizationId } from '#shared/tokens/resource-id';

/** Idempotent: sending the form again changes nothing. */
export async function savePreferences(
  { organization, contact }: TokenHolder,
  choice: PreferencesChoice,
  contacts: Contacts,
): Promise<void> {
  switch (choice.kind) {
    case 'unsubscribeAll':
      return contacts.outbox.unsubscribe(contact, contacts.now());
    case 'resubscribe':
      await resubscribe(contact.id, contacts);
      return;
    case 'save': {
      // After leaving everything no box is ticked. Saving the page as it was must not end a category for good.
      const isAsShown = contact.unsubscribe !== undefined && !choice.changes.some(isYes);
      if (isAsShown) return;
      const changes = await withoutGone(choice.changes, organization.id, contacts);
      const contactId = contact.id;
      await changePreferences({ contactId, isProven: true }, changes, contacts);
    }
  }
}

const isYes = ({ subscribed }: Subscription): boolean => subscribed;

/** A category may be deleted while the page is open; the other choices still apply. */
async function withoutGone(
  changes: readonly Subscription[],
  id: OrganizationId,
  { categories }: Contacts,
): Promise<readonly Subscription[]> {
  const gone = unknownCategories(changes, await categories.list(id));
  const goneKeys = new Set(gone.map(({ categoryKey }) => categoryKey));
  return changes.filter(({ categoryKey }) => !goneKeys.has(categoryKey));
}
