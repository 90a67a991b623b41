import {
  type ChangePreferencesDependencies,
  changePreferences,
} from '#shared/contacts/change-preferences';
import type { ContactRef } from '#shared/contacts/contact';
import type { MailRecipient } from '#shared/contacts/mail-recipient';
import { type Subscription, unknownCategories } from '#shared/contacts/preferences';
import type { PreferencesChoice } from '#shared/pages/preferences-form';
import type { OrganizationId } from '#shared/tokens/resource-id';

export type SavePreferencesDependencies = ChangePreferencesDependencies & {
  readonly suppress: (contact: ContactRef, now: number) => Promise<void>;
};

/** Stores the choice. Sending the form twice changes nothing more. */
export async function savePreferences(
  { organization, contact }: MailRecipient,
  choice: PreferencesChoice,
  dependencies: SavePreferencesDependencies,
): Promise<void> {
  switch (choice.kind) {
    case 'unsubscribeAll':
      return dependencies.suppress(contact, dependencies.now());
    case 'resubscribe':
      return dependencies.savePreferences(
        contact.id,
        { subscriptions: {}, liftsUnsubscribe: true },
        dependencies.now(),
      );
    case 'save': {
      const changes = await withoutGone(choice.changes, organization.id, dependencies);
      const contactId = contact.id;
      await changePreferences({ contactId, isProven: true }, changes, dependencies);
    }
  }
}

/** A category may be deleted while its box is on somebody's screen; the other boxes still count. */
async function withoutGone(
  changes: readonly Subscription[],
  id: OrganizationId,
  { listCategories }: SavePreferencesDependencies,
): Promise<readonly Subscription[]> {
  const gone = unknownCategories(changes, await listCategories(id));
  const goneKeys = new Set(gone.map(({ categoryKey }) => categoryKey));
  return changes.filter(({ categoryKey }) => !goneKeys.has(categoryKey));
}
